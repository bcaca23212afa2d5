import { createRunsApi } from "@banyan/console";
import { parseIdentityLinks, type RouteTable } from "@banyan/core";
import type { DeliveryState } from "@banyan/store";
import { createInlineStore } from "@banyan/store-sqlite/inline";
import { describe, expect, test } from "vitest";
import { RunDesk } from "../stage/run-desk.ts";

const ADA = "agent:main:irc:dm:ada";
const EVE = "agent:main:irc:dm:eve";
const ADDRESS = "irc/default/dm/ada";
const TABLE: RouteTable = { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "per-channel-peer" };

async function openApi(table: RouteTable = TABLE) {
  let now = 1_000_000;
  const store = createInlineStore({ clock: { now: () => now } });
  const session = { key: ADA, sessionId: "s", agentId: "main", file: "s.jsonl", expectRevision: 0, body: "{}" };
  await store.commit({ step: "write_session", writeId: "s", session });
  const notes = new Map<string, string>();
  const api = createRunsApi({
    read: store.read,
    routes: table,
    identityLinks: parseIdentityLinks({}),
    findLiveNote: ({ runId }) => notes.get(runId),
    now: () => now,
  });
  return {
    store,
    desk: new RunDesk(store, { sessionKey: ADA, address: ADDRESS }),
    notes,
    pass(ms: number) {
      now += ms;
    },
    async ask(query: string, method = "GET") {
      const response = await api(new Request(`http://banyan/api/runs${query}`, { method }));
      return [response.status, await response.json()];
    },
  };
}

describe("the page asks for the sub-agents of", () => {
  test("a session: a tree, with how long each takes and what it said", async () => {
    const { desk, notes, ask, pass } = await openApi();
    await desk.spawns("a", "docs");
    await desk.spawns("b", "pages", "a");
    notes.set("a", "2 of 4 files so far.").set("b", "half");
    await desk.ends("b", "Counting.\n3 pages\n");
    pass(12_000);
    const run = {
      name: "docs",
      status: "running",
      words: "running",
      isUnfinished: true,
      ms: 12_000,
      note: "2 of 4 files so far.",
    };
    const done = { name: "pages", status: "done", words: "done", isUnfinished: false, ms: 300, tokens: 1_200 };
    const told = { note: "3 pages", delivery: "on its way to the chat" };
    expect(await ask(`?session=${ADA}`)).toEqual([
      200,
      {
        sessionKey: ADA,
        runs: [{ id: "a", ...run, children: [{ id: "b", ...done, ...told, children: [] }] }],
        hidden: 0,
      },
    ]);
  });

  test.each<[string, Partial<RouteTable>, string, string]>([
    ["a chat, by its address", {}, ADDRESS, ADA],
    ["a chat of the shared conversation", { dmScope: "main" }, ADDRESS, "agent:main:main"],
    ["any chat, where all are one", { scope: "global" }, ADDRESS, "global"],
    ["a group", {}, "irc/default/group/ops", "agent:main:irc:group:ops"],
  ])("%s", async (_name, change, address, sessionKey) => {
    const { ask } = await openApi({ ...TABLE, ...change });
    expect(await ask(`?address=${encodeURIComponent(address)}`)).toEqual([200, { sessionKey, runs: [], hidden: 0 }]);
  });

  test("a chat that was turned to a child", async () => {
    const { store, desk, ask } = await openApi();
    await desk.spawns("a", "docs");
    await desk.spawns("b", "pages", "a");
    const sessionKey = "agent:main:subagent:a";
    const binding = { id: "f", address: ADDRESS, sessionKey, kind: "focus" } as const;
    await store.commit({ step: "bind", address: ADDRESS, binding, timers: [], endTimers: [] });
    expect(await ask(`?address=${encodeURIComponent(ADDRESS)}`)).toMatchObject([
      200,
      { sessionKey, runs: [{ id: "b" }] },
    ]);
  });

  test.each(["", "?session=nonsense", "?address=nowhere", "?address=irc/default/dm/%2520", "?address=a/b/c/d"])(
    "nothing, by %j",
    async (query) => {
      expect(await (await openApi()).ask(query)).toMatchObject([
        400,
        { error: expect.stringContaining("session=KEY") },
      ]);
    },
  );

  test("nobody, by another method than GET", async () => {
    expect((await (await openApi()).ask(`?session=${ADA}`, "POST"))[0]).toBe(405);
  });
});

describe("of the message about an ended run it says", () => {
  test.each<[DeliveryState, string | undefined]>([
    ["undeliverable", "could not be sent to the chat"],
    ["pending", "on its way to the chat"],
  ])("%s", async (state, words) => {
    const { store, desk, ask } = await openApi();
    await desk.spawns("a", "docs");
    await desk.ends("a", "12,874 words");
    const audit = { actor: "test", action: "drop", detail: "" };
    if (state === "undeliverable") await store.commit({ step: "drop_delivery", id: "completion-a.0", audit });
    expect(await ask(`?session=${ADA}`)).toMatchObject([200, { runs: [{ delivery: words }] }]);
  });
});

test("what could not be sent is told, however much of other chats could not either", async () => {
  const { store, desk, ask } = await openApi();
  const session = { key: EVE, sessionId: "e", agentId: "main", file: "e.jsonl", expectRevision: 0, body: "{}" };
  await store.commit({ step: "write_session", writeId: "e", session });
  const others = new RunDesk(store, { sessionKey: EVE, address: "irc/default/dm/eve" });
  for (let count = 0; count < 1_001; count += 1) {
    await others.spawns(`e${count}`, "pages");
    await others.ends(`e${count}`, "");
  }
  await desk.spawns("a", "docs");
  await desk.ends("a", "12,874 words");
  const audit = { actor: "test", action: "drop", detail: "" };
  await store.commit({ step: "drop_delivery", id: "completion-a.0", audit });
  expect(await ask(`?session=${ADA}`)).toMatchObject([200, { runs: [{ delivery: "could not be sent to the chat" }] }]);
});

test("of very many runs those at work are given, and the rest is counted", async () => {
  const { desk, ask } = await openApi();
  await desk.spawns("live", "docs");
  for (let count = 0; count < 150; count += 1) {
    await desk.spawns(`r${count}`, `r${count}`);
    await desk.ends(`r${count}`, "");
  }
  const [, answer] = await ask(`?session=${ADA}`);
  expect(answer).toMatchObject({ hidden: 51 });
  expect(answer.runs.map(({ id }: { id: string }) => id)).toContain("live");
  expect(answer.runs).toHaveLength(100);
});
