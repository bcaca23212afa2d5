import { randomUUID } from "node:crypto";
import type { Store } from "@banyan/plugin-sdk/store";
import { createMemoryStore } from "@banyan/store-memory";
import { expect, it } from "vitest";
import { createSessionOperations } from "../../src/control/operate-sessions.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../src/sessions/session-record.ts";

const OLD = "agent:main:irc:dm:1";
const NEW = "agent:main:irc:dm:2";
const CHILD = "agent:main:subagent:5f0c";

async function write(store: Store, key: string, spawnedBy?: string): Promise<void> {
  const entry = openSessionEntry({ key, sessionId: randomUUID(), now: 1 });
  const session = buildSessionWrite(
    { key, agentId: "main", revision: 0 },
    { ...entry, ...(spawnedBy === undefined ? {} : { spawnedBy }) },
  );
  await store.commit({ step: "write_session", writeId: key, session });
}

const parentOf = async (store: Store, key: string) =>
  JSON.parse((await store.read.session(key))?.body ?? "{}").spawnedBy;

it("rekey: the children of a conversation name it by its new key, those of another stay", async () => {
  const store = createMemoryStore();
  await write(store, OLD);
  await write(store, CHILD, OLD);
  await write(store, `${CHILD}0`, "agent:main:main");
  const { rekey } = createSessionOperations({
    store,
    configuredLinks: parseIdentityLinks({}),
    dmScopes: new Set(["per-channel-peer"]),
    scope: "per-sender",
    defaultAgent: "main",
    moveLanes: async () => undefined,
  });
  await rekey(OLD, NEW, { acceptShared: false }, "ada");
  expect(await parentOf(store, CHILD)).toBe(NEW);
  expect(await parentOf(store, `${CHILD}0`)).toBe("agent:main:main");
});
