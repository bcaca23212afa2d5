import { randomUUID } from "node:crypto";
import type { SessionEntry } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { findMovedChild } from "../../src/sessions/move-child.ts";
import { openSessionEntry } from "../../src/sessions/open-session-entry.ts";

const KEY = "agent:main:subagent:5f0c";
const OLD = "agent:main:irc:group:grove";
const NEW = "agent:main:irc:group:-100grove";
const ADDRESSES = [{ from: "irc/default/group/grove", to: "irc/default/group/-100grove" }];

function move(more: Partial<SessionEntry>) {
  const entry = { ...openSessionEntry({ key: KEY, sessionId: randomUUID(), now: 1 }), ...more };
  const { sessionId, sessionFile: file } = entry;
  const row = { key: KEY, sessionId, agentId: "main", file, revision: 3, updatedAtMs: 1, body: JSON.stringify(entry) };
  const write = findMovedChild(row, (key) => (key === OLD ? NEW : undefined), ADDRESSES);
  if (write === undefined) return undefined;
  expect(write).toMatchObject({ key: KEY, sessionId, agentId: "main", file, expectRevision: 3 });
  const moved: SessionEntry = JSON.parse(write.body);
  // Nothing else of the record changes.
  expect({ ...moved, ...more }).toEqual({ ...entry });
  const { spawnedBy, parentSessionKey, deliveryContext, ownThread } = moved;
  return { spawnedBy, parentSessionKey, deliveryContext, ownThread };
}

describe("the record of a session while another one moves", () => {
  it("names its parent by the new key, and where it is by the new chat", () => {
    expect(move({ spawnedBy: OLD })).toEqual({ spawnedBy: NEW });
    expect(move({ parentSessionKey: OLD, spawnDepth: 1 })).toEqual({ parentSessionKey: NEW });
    const there = { spawnedBy: OLD, deliveryContext: "irc/default/group/grove/7" };
    expect(move(there)).toEqual({ spawnedBy: NEW, deliveryContext: "irc/default/group/-100grove/7" });
    const own = { spawnedBy: "agent:main:main", ownThread: "irc/default/group/grove/7" };
    expect(move(own)).toEqual({ spawnedBy: "agent:main:main", ownThread: "irc/default/group/-100grove/7" });
  });

  it("of another parent, too, where its thread is in the chat that moves", () => {
    const there = { spawnedBy: "agent:main:main", deliveryContext: "irc/default/group/grove/7" };
    expect(move(there)).toEqual({ spawnedBy: "agent:main:main", deliveryContext: "irc/default/group/-100grove/7" });
  });

  it.each<[string, Partial<SessionEntry>]>([
    ["has no parent", {}],
    ["is another one's child", { spawnedBy: "agent:main:main" }],
    ["is elsewhere", { spawnedBy: "agent:main:main", deliveryContext: "irc/default/group/grover/7" }],
    ["only speaks of parents", { label: '"spawnedBy"' }],
  ])("stays as it is where it %s", (_name, more) => {
    expect(move(more)).toBeUndefined();
  });
});
