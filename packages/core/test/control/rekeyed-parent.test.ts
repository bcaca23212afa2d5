import { randomUUID } from "node:crypto";
import type { SessionEntry } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import { expect, it } from "vitest";
import { createSessionOperations } from "../../src/control/operate-sessions.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";
import { openTestStore } from "../open-test-store.ts";

const OLD = "agent:main:irc:dm:1";
const NEW = "agent:main:irc:dm:2";
const CHILD = "agent:main:subagent:5f0c";

async function write(store: Store, key: string, spawnedBy?: string, more: Partial<SessionEntry> = {}): Promise<void> {
  const entry = openSessionEntry({ key, sessionId: randomUUID(), now: 1 });
  const session = buildSessionWrite(
    { key, agentId: "main", revision: 0 },
    { ...entry, ...(spawnedBy === undefined ? {} : { spawnedBy }), ...more },
  );
  await store.commit({ step: "write_session", writeId: key, session });
}

function createOperations(store: Store) {
  return createSessionOperations({
    store,
    configuredLinks: parseIdentityLinks({}),
    dmScopes: new Set(["per-channel-peer"]),
    scope: "per-sender",
    defaultAgent: "main",
    moveLanes: async () => undefined,
  });
}

const parentOf = async (store: Store, key: string) =>
  JSON.parse((await store.read.session(key))?.body ?? "{}").spawnedBy;

it("rekey: the children of a conversation name it by its new key, those of another stay", async () => {
  const store = openTestStore();
  await write(store, OLD);
  await write(store, CHILD, OLD);
  await write(store, `${CHILD}0`, "agent:main:main");
  await createOperations(store).rekey(OLD, NEW, { acceptShared: false }, "ada");
  expect(await parentOf(store, CHILD)).toBe(NEW);
  expect(await parentOf(store, `${CHILD}0`)).toBe("agent:main:main");
});

it("rekey: all that is below a conversation works for its new person, whose day it counts in; another person's stays", async () => {
  const store = openTestStore();
  const day = "2026-11-21";
  const used = { dayUsage: { day, turns: 1, tokens: 10, costUsd: 0.5 } };
  await write(store, OLD, undefined, { userId: "irc:1", ...used });
  await write(store, CHILD, OLD, { userId: "irc:1", ...used });
  await write(store, `${CHILD}:subagent:1`, CHILD, { userId: "irc:1", ...used });
  await write(store, `${CHILD}1`, OLD, { userId: "irc:3", ...used });
  await write(store, `${CHILD}2`, "agent:main:main", { userId: "irc:1", ...used });
  await createOperations(store).rekey(OLD, NEW, { acceptShared: true }, "ada");
  const personOf = async (key: string) => JSON.parse((await store.read.session(key))?.body ?? "{}").userId;
  const keys = [NEW, CHILD, `${CHILD}:subagent:1`, `${CHILD}1`, `${CHILD}2`];
  expect(await Promise.all(keys.map(personOf))).toEqual(["irc:2", "irc:2", "irc:2", "irc:3", "irc:1"]);
  expect(await parentOf(store, CHILD)).toBe(NEW);
  const days = await Promise.all(["irc:2", "irc:3", "irc:1"].map((subject) => store.read.dayUsed({ subject, day })));
  expect(days.map((each) => each?.turns)).toEqual([3, 1, 1]);
});
