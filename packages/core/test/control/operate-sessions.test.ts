import type { Store } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { createSessionOperations } from "../../src/control/operate-sessions.ts";
import type { DmScope } from "../../src/sessions/keys/dm-scope.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { ADA, CoreDesk } from "../turns/core-desk.ts";
import { aborted, says } from "../turns/played-runtime.ts";
import { writeIn } from "./written-session.ts";

const ALICE = { alice: ["irc:1", "irc:2"] };
const KEY = "agent:main:irc:dm:1";

/** `readers` are those who are let into the agent's main session and the global one. */
function open(dmScope: DmScope = "per-channel-peer", ...readers: readonly string[]) {
  const store = openTestStore();
  const moved: string[] = [];
  const operations = createSessionOperations({
    store,
    configuredLinks: parseIdentityLinks(ALICE),
    dmScopes: new Set([dmScope]),
    scope: "per-sender",
    defaultAgent: "main",
    listSharedReaders: () => (readers.length === 0 ? [] : ["agent:main:main", "global"].map(sharedBy(readers))),
    moveLanes: async (moves) => void moved.push(...moves.map(({ from, to }) => `${from} ${to}`)),
  });
  const rekey = (from: string, to: string, acceptShared = false) => operations.rekey(from, to, { acceptShared }, "ada");
  return { store, moved, rekey };
}

const sharedBy = (readers: readonly string[]) => (key: string) => ({
  key,
  name: readers.join(" and "),
  isShared: readers.length > 1,
  isOperators: false,
  isOwn: ({ channel, peer }: { readonly channel: string; readonly peer: string }) =>
    readers.length === 1 && readers[0] === `${channel}:${peer}`,
});

async function entryOf(store: Store, key: string): Promise<object> {
  return JSON.parse((await store.read.session(key))?.body ?? "null");
}

describe("rekey", () => {
  it("moves a conversation with its writers, says so to the lanes, and is audited", async () => {
    const { store, moved, rekey } = open();
    await writeIn(store, KEY, "irc:1");
    const { sessionId } = (await store.read.session(KEY)) ?? {};
    const to = "agent:main:dm:alice";
    expect(await rekey(KEY, to)).toEqual({ from: KEY, to, sessionId });
    expect(await store.read.session(KEY)).toBeUndefined();
    expect(await entryOf(store, to)).toMatchObject({ sessionId, userId: "alice" });
    expect(await store.read.writers(to)).toMatchObject([{ channel: "irc", peer: "1" }]);
    expect((await store.read.lane(to)).waiting).toBe(1);
    expect(moved).toEqual([`${KEY} ${to}`]);
    expect(await store.read.audit({ limit: 9 })).toMatchObject([
      { actor: "ada", action: "sessions-rekey", detail: `${KEY} ${to}` },
    ]);
  });

  it("names the sender again where the key is his own", async () => {
    const { store, rekey } = open();
    await writeIn(store, "agent:main:dm:alice", "irc:1");
    await rekey("agent:main:dm:alice", "AGENT:Main:irc:direct:1 ");
    expect(await entryOf(store, KEY)).toMatchObject({ userId: "irc:1" });
  });

  it.each([
    ["agent:main:irc:dm:9", "agent:main:dm:alice", /there is no session/],
    [KEY, "agent:main:irc:dm:2", /is taken; move that one/],
    [KEY, "agent:coding:irc:dm:1", /stays with its agent/],
    [KEY, KEY, /the same key/],
    [KEY, "agent:main:subagent:x", /the key of no direct chat/],
    [KEY, "alice", /the key of no direct chat/],
    ["agent:main:cron:daily", KEY, /the key of no direct chat/],
  ])("refuses %s to %s", async (from, to, wrong) => {
    const { store, moved, rekey } = open();
    await writeIn(store, KEY, "irc:1");
    await writeIn(store, "agent:main:irc:dm:2", "irc:2");
    await expect(async () => rekey(from, to)).rejects.toThrow(wrong);
    expect(moved).toEqual([]);
  });

  it.each([
    ["another person's", "agent:main:dm:alice", "per-channel-peer", ["irc:1", "irc:eve"]],
    ["another sender's", "agent:main:irc:dm:2", "per-channel-peer", ["irc:1"]],
    ["the main session", "agent:main:main", "per-channel-peer", ["irc:1"]],
    ["a group", "agent:main:irc:group:g", "per-channel-peer", ["irc:1"]],
    ["a sender's id under per-peer", "agent:main:dm:eve", "per-peer", ["irc:1"]],
  ] as const)("keeps what was written from %s, unless the operator knows", async (_what, to, scope, writers) => {
    const { store, rekey } = open(scope);
    await writeIn(store, KEY, ...writers);
    await expect(rekey(KEY, to)).rejects.toMatchObject({
      code: "foreign_writers",
      message: expect.stringMatching(/would read it there; name another key, or add --accept-shared/),
    });
    expect(await rekey(KEY, to, true)).toMatchObject({ to });
  });

  it.each([
    ["a name that nobody has", "agent:main:dm:alice-before", ["irc:1", "irc:eve"]],
    ["the person of both", "agent:main:dm:alice", ["irc:1", "irc:2"]],
    ["a thread of the same sender", "agent:main:irc:dm:1:thread:7", ["irc:1"]],
  ] as const)("takes %s", async (_what, to, writers) => {
    const { store, rekey } = open();
    await writeIn(store, "agent:main:irc:dm:old", ...writers);
    expect(await rekey("agent:main:irc:dm:old", to)).toMatchObject({ to });
  });
});

describe("rekey to a session that all direct chats share", () => {
  it.each(["agent:main:main", "global"])("takes to %s what its one reader has written", async (to) => {
    const { store, rekey } = open("main", "irc:1");
    await writeIn(store, KEY, "irc:1");
    expect(await rekey(KEY, to)).toMatchObject({ to });
    expect(await rekey(to, "agent:main:dm:before")).toMatchObject({ to: "agent:main:dm:before" });
  });

  it.each([
    ["somebody else reads", "main", ["irc:9"]],
    ["several people read", "main", ["irc:1", "irc:9"]],
    ["nobody is let in yet", "main", []],
  ] as const)("asks first where %s", async (_what, scope, readers) => {
    for (const to of ["agent:main:main", "global"]) {
      const { store, rekey } = open(scope, ...readers);
      await writeIn(store, KEY, "irc:1");
      await expect(rekey(KEY, to)).rejects.toMatchObject({
        code: "foreign_writers",
        message: expect.stringContaining("it holds writing of irc:1"),
      });
      expect(await rekey(KEY, to, true)).toMatchObject({ to });
    }
  });

  it("leaves the global session with its agent", async () => {
    const { store, rekey } = open("main");
    await writeIn(store, "agent:coding:irc:dm:1", "irc:1");
    await expect(async () => rekey("agent:coding:irc:dm:1", "global", true)).rejects.toThrow(/stays with its agent/);
    await writeIn(store, "global", "irc:1");
    await expect(async () => rekey("global", "agent:coding:dm:before")).rejects.toThrow(/it is of the agent main/);
  });
});

it("decides again where somebody else writes while it is decided", async () => {
  const { store, rekey } = open();
  await writeIn(store, KEY, "irc:1");
  const read = store.read.writers;
  let isFirst = true;
  Object.assign(store.read, {
    writers: async (key: string) => {
      const rows = await read(key);
      if (isFirst) {
        isFirst = false;
        await writeIn(store, KEY, "irc:9");
      }
      return rows;
    },
  });
  await expect(rekey(KEY, "agent:main:irc:dm:1:thread:7")).rejects.toThrow(/it holds writing of irc:9/);
  expect(await store.read.session(KEY)).toBeDefined();
});

it("takes a running turn along: it runs again under the new key, and what waits behind it", async () => {
  const desk = await new CoreDesk().connect();
  let isFirst = true;
  desk.runtime.play = async function* ({ input, signal }) {
    if (!isFirst) return yield* says(`re: ${input.input[0]?.text}`);
    isFirst = false;
    await aborted(signal);
    yield { type: "end", reason: "stopped" };
  };
  await desk.says("long");
  await desk.says("next");
  const operations = createSessionOperations({
    store: desk.store,
    configuredLinks: parseIdentityLinks({}),
    dmScopes: new Set<DmScope>(["per-channel-peer"]),
    scope: "per-sender",
    defaultAgent: "main",
    moveLanes: desk.moves.moveLanes,
  });
  const to = "agent:main:dm:before";
  await operations.rekey(ADA, to, { acceptShared: false }, "ada");
  await quiet();
  expect(desk.heard()).toEqual(["re: long", "re: next"]);
  expect(await desk.lines(to)).toHaveLength(4);
  await desk.says("anew");
  expect(await desk.lines(ADA)).toEqual(["user: anew", "assistant: re: anew"]);
});
