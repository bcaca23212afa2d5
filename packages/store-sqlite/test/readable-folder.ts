import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { SqliteStore } from "@banyan/store-sqlite";
import { expect } from "vitest";
import { buildAppend, buildWriteSession } from "./sample.ts";

/** The ids of a transcript's entries, one whole line each. */
export function readLines(stateDir: string, file: string, agent = "main"): unknown[] {
  const text = readFileSync(join(stateDir, "agents", agent, "sessions", file), "utf8");
  expect(text.endsWith("\n")).toBe(true);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);
}

/** What `sessions.json` says. */
export function readSessions(stateDir: string, agent = "main"): unknown {
  return JSON.parse(readFileSync(join(stateDir, "agents", agent, "sessions.json"), "utf8"));
}

/** Ada's session with three entries. */
export async function fillStore(store: SqliteStore): Promise<void> {
  await store.commit(buildWriteSession("w1", { body: '{"sessionId":"ada-1","label":"Ada"}' }));
  await store.commit(buildAppend("e1", "e2"));
  await store.commit(buildAppend("e3"));
}
