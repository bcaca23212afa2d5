import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { SqliteStore } from "@banyan/store-sqlite";
import { describe, expect, test } from "vitest";
import { createManualClock } from "./manual-clock.ts";
import { openTestStore } from "./open-store.ts";
import { adaKey, buildAppend, buildWriteSession } from "./sample.ts";
import { archiveSampleRun, buildAccept, buildChildKey, buildEnd, buildReserve } from "./sample-run.ts";
import { createTemporaryFolder } from "./state-folder.ts";

const DAY_MS = 86_400_000;
const AUDIT = { actor: "operator", action: "archive", detail: "" };

function openQuietStore(stateDir: string): Promise<SqliteStore> {
  // Its clock stands still, so the layout is written when a test asks for it.
  return openTestStore({ stateDir, clock: createManualClock() });
}

function prune(store: SqliteStore, runsOlderThanMs = 0): Promise<unknown> {
  return store.commit({ step: "prune", olderThanMs: DAY_MS, runsOlderThanMs, limit: 10 });
}

function readFile(stateDir: string, ...path: string[]): string {
  return readFileSync(join(stateDir, "agents", "main", ...path), "utf8");
}

function listIds(stateDir: string, file: string): unknown[] {
  const lines = readFile(stateDir, "sessions", file).trimEnd().split("\n");
  return lines.map((line) => JSON.parse(line).id);
}

describe("a session that was put away", () => {
  test("is not in sessions.json, and its transcript's file stays", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openQuietStore(stateDir);
    await store.commit(buildWriteSession("w1"));
    await store.commit(buildReserve("r1"));
    await store.commit(buildAccept("r1"));
    await store.projectNow();
    expect(Object.keys(JSON.parse(readFile(stateDir, "sessions.json")))).toEqual([buildChildKey("r1"), adaKey]);
    await store.commit(buildEnd("r1"));
    await store.commit({ step: "archive_run", runId: "r1", timers: [] });
    await store.projectNow();
    expect(Object.keys(JSON.parse(readFile(stateDir, "sessions.json")))).toEqual([adaKey]);
    expect(listIds(stateDir, "r1.jsonl")).toEqual(["first of r1", "second of r1", "end of r1"]);
  });

  test("is in sessions.json again when it gets a message", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openQuietStore(stateDir);
    await store.commit(buildWriteSession("w1"));
    await store.commit({ step: "archive_session", key: adaKey, audit: AUDIT });
    await store.projectNow();
    expect(readFile(stateDir, "sessions.json")).toBe("{}\n");
    const item = { lane: adaKey, dedupe: "m1", nativeId: "m1", kind: "message", address: "test|one|ada" } as const;
    const account = { channel: "test", account: "one" };
    await store.commit({ step: "receive", account, items: [{ ...item, body: "{}", laneCap: 10 }] });
    await store.projectNow();
    expect(Object.keys(JSON.parse(readFile(stateDir, "sessions.json")))).toEqual([adaKey]);
  });

  test("of the only session of its agent is gone from sessions.json also when the process died in between", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openQuietStore(stateDir);
    await first.commit(buildWriteSession("w1"));
    await first.close();
    const deaf = await openTestStore({ stateDir, readable: false });
    await deaf.commit({ step: "archive_session", key: adaKey, audit: AUDIT });
    await deaf.close();
    const second = await openQuietStore(stateDir);
    await second.projectNow();
    expect(readFile(stateDir, "sessions.json")).toBe("{}\n");
  });

  test("and whose file was synced is not looked at when the store is opened again; one in use is", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openQuietStore(stateDir);
    await first.commit(buildWriteSession("w1"));
    await first.commit(buildAppend("e1"));
    await archiveSampleRun(first, "r1");
    await first.close();
    const path = (file: string) => join(stateDir, "agents", "main", "sessions", file);
    for (const file of ["ada-1.jsonl", "r1.jsonl"]) rmSync(path(file));
    const second = await openQuietStore(stateDir);
    await second.projectNow();
    expect([existsSync(path("ada-1.jsonl")), existsSync(path("r1.jsonl"))]).toEqual([true, false]);
  });
});

describe("a run that ended long ago", () => {
  test("goes with its child's session and transcript, and the readable file stays as it was", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openQuietStore(stateDir);
    await store.commit(buildWriteSession("w1"));
    await archiveSampleRun(store, "r1");
    await store.projectNow();
    expect(await prune(store, DAY_MS)).toMatchObject({ removed: 0 });
    expect(await prune(store)).toMatchObject({ removed: 2 });
    expect(await store.read.run("r1")).toBeUndefined();
    expect(await store.read.session(buildChildKey("r1"))).toBeUndefined();
    expect(await store.read.sessionById("r1")).toBeUndefined();
    expect(await store.read.entries({ sessionId: "r1", limit: 10 })).toEqual([]);
    await store.close();
    const again = await openQuietStore(stateDir);
    await again.projectNow();
    expect(listIds(stateDir, "r1.jsonl")).toEqual(["first of r1", "second of r1", "end of r1"]);
  });

  test("leaves a transcript that its file does not have yet, until it has", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openQuietStore(stateDir);
    await store.commit(buildWriteSession("w1"));
    await archiveSampleRun(store, "r1");
    expect(await prune(store)).toMatchObject({ removed: 1 });
    expect(await store.read.entries({ sessionId: "r1", limit: 10 })).toHaveLength(3);
    await store.projectNow();
    expect(listIds(stateDir, "r1.jsonl")).toHaveLength(3);
    expect(await prune(store)).toMatchObject({ removed: 1 });
    expect(await store.read.entries({ sessionId: "r1", limit: 10 })).toEqual([]);
  });

  test("waits for no file where no layout is kept", async () => {
    const store = await openTestStore({ stateDir: createTemporaryFolder(), readable: false });
    await store.commit(buildWriteSession("w1"));
    await archiveSampleRun(store, "r1");
    expect(await prune(store)).toMatchObject({ removed: 2 });
  });

  test("gives its entries' numbers to nobody: what comes after it gets into the files", async () => {
    const stateDir = createTemporaryFolder();
    const store = await openQuietStore(stateDir);
    await store.commit(buildWriteSession("w1"));
    await archiveSampleRun(store, "r1");
    await store.projectNow();
    await prune(store);
    await store.commit(buildAppend("e1", "e2"));
    await store.projectNow();
    expect(listIds(stateDir, "ada-1.jsonl")).toEqual(["e1", "e2"]);
    await archiveSampleRun(store, "r2");
    await store.projectNow();
    expect(listIds(stateDir, "r2.jsonl")).toHaveLength(3);
    await prune(store);
    await store.close();
    const database = new DatabaseSync(join(stateDir, "banyan.db"));
    const count = (table: string) => database.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.rows;
    // Two of Ada's, and the emptied newest one.
    expect([count("entries"), count("transcripts")]).toEqual([3, 2]);
    database.close();
  });

  test("holds up no watermark when its file could not be written", async () => {
    const stateDir = createTemporaryFolder();
    const first = await openQuietStore(stateDir);
    await first.commit(buildWriteSession("w1"));
    await first.commit(buildAppend("e1"));
    await first.close();
    const path = join(stateDir, "agents", "main", "sessions", "ada-1.jsonl");
    rmSync(path);
    mkdirSync(path);
    const second = await openQuietStore(stateDir);
    await second.projectNow();
    await second.commit({ step: "archive_session", key: adaKey, audit: AUDIT });
    expect(await prune(second)).toMatchObject({ removed: 1 });
    const bob = { key: "agent:main:test:dm:bob", sessionId: "bob-1", file: "bob-1.jsonl" };
    await second.commit(buildWriteSession("w2", bob));
    await second.commit({ ...buildAppend("e2"), sessionKey: bob.key, sessionId: bob.sessionId });
    await second.projectNow();
    expect(JSON.parse(readFileSync(join(stateDir, "readable.json"), "utf8"))).toMatchObject({ pos: 2 });
  });
});
