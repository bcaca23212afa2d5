import { createInlineStore } from "@banyan/store-sqlite/inline";
import { beforeAll, describe, expect, test } from "vitest";
import { findSession } from "../../src/state/find-session.ts";
import { listNewestSessions } from "../../src/state/list-sessions.ts";

const SESSIONS = [
  ["agent:main:main", "10000000-0000-4000-8000-000000000000"],
  ["agent:main:irc:dm:ada", "20000000-0000-4000-8000-000000000000"],
  ["agent:main:irc:dm:adam", "20000001-0000-4000-8000-000000000000"],
  ["agent:ops:irc:dm:bob", "30000000-0000-4000-8000-000000000000"],
] as const;
let now = 0;
const store = createInlineStore({ clock: { now: () => now } });

beforeAll(async () => {
  for (const [key, sessionId] of SESSIONS) {
    now += 1_000;
    const session = { key, sessionId, agentId: key.split(":")[1] ?? "", file: `${sessionId}.jsonl`, expectRevision: 0 };
    await store.commit({ step: "write_session", writeId: sessionId, session: { ...session, body: "{}" } });
  }
});

describe("a session is found by", () => {
  test.each([
    ["its key", "agent:main:irc:dm:ada", "agent:main:irc:dm:ada"],
    ["a key typed by hand", " AGENT:Ops:irc:direct:bob ", "agent:ops:irc:dm:bob"],
    ["the word main", "main", "agent:main:main"],
    ["its id", "20000000-0000-4000-8000-000000000000", "agent:main:irc:dm:ada"],
    ["the beginning of its id", "3000", "agent:ops:irc:dm:bob"],
    ["the beginning of its key", "agent:ops", "agent:ops:irc:dm:bob"],
    ["the beginning behind the agent, cut by a listing", "irc:dm:b…", "agent:ops:irc:dm:bob"],
  ])("%s", async (_name, given, key) => {
    expect((await findSession(store.read, given)).key).toBe(key);
  });

  test.each([
    [
      "irc:dm:a",
      '2 begin so, received "irc:dm:a"; give more of one of them: agent:main:irc:dm:ada, agent:main:irc:dm:adam',
    ],
    ["zzz", "none has this key or id"],
    ["", "none has this key or id"],
  ])("not by %j", async (given, wrong) => {
    await expect(findSession(store.read, given)).rejects.toThrow(wrong);
  });
});

test("the sessions that changed last come first", async () => {
  const { rows, total } = await listNewestSessions(store.read, { limit: 2 });
  expect([rows.map(({ key }) => key), total]).toEqual([["agent:ops:irc:dm:bob", "agent:main:irc:dm:adam"], 4]);
});
