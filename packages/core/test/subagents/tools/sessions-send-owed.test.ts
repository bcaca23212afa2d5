import { formatAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";
import { ADA, ask, readTold, spawn } from "./tool-desk.ts";

const THREAD = formatAddress({ channel: "irc", account: "default", kind: "group", chat: "grove", thread: "7" });

describe("a message to a child that stays with its thread", () => {
  async function openThread() {
    const desk = await new TreeDesk().start();
    desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
      status: "ok",
      threadBindingReady: true,
      binding: { id: bindingId, address: THREAD },
    }));
    const { key } = await spawn(desk, "docs", () => "ready", { mode: "session", thread: true });
    desk.plays(/^and the tests\?/, () => "3 tests");
    return { desk, key };
  }

  it.each([
    ["sessions_send", { label: "docs", message: "and the tests?" }],
    ["subagents", { action: "send", target: "docs", text: "and the tests?", timeoutSeconds: 5 }],
  ])("is a turn that %s answers, and nothing more comes of it", async (tool, args) => {
    const { desk, key } = await openThread();
    const [heard, heardThere] = [desk.heard().length, desk.heardAt(THREAD).length];
    expect(await ask(desk, tool, args)).toEqual({ status: "replied", reply: "3 tests", isError: false });
    await desk.later(20 * 60_000);
    // No second run, so no completion, to nobody.
    expect(await desk.runs()).toMatchObject([{ endedReason: "complete" }]);
    expect(desk.heard().slice(heard)).toEqual(["asked"]);
    expect(desk.heardAt(THREAD)).toHaveLength(heardThere);
    expect((await desk.transcript()).filter(({ kind }) => kind === "completion")).toHaveLength(1);
    expect((await desk.lines(key)).slice(-2)).toEqual(["user: and the tests?", "assistant: 3 tests"]);
  });

  it("goes before what a person writes there later, in one conversation", async () => {
    const { desk, key } = await openThread();
    await ask(desk, "sessions_send", { sessionKey: key, message: "and the tests?" });
    await desk.saysAt(THREAD, "thanks");
    expect(desk.heardAt(THREAD).at(-1)).toBe("re: thanks");
    expect((await desk.lines(key)).slice(-4)).toEqual([
      "user: and the tests?",
      "assistant: 3 tests",
      "user: thanks",
      "assistant: re: thanks",
    ]);
  });
});

describe("a message to a child that works on one task", () => {
  it("is a run that is owed to its sender, also where another one has spawned the child", async () => {
    const desk = await new TreeDesk().start();
    let leaf = "";
    desk.plays(/^leaf/, () => "leaf done");
    desk.plays(/^and the tests\?/, () => "3 tests");
    const { key: middle } = await spawn(desk, "middle", async ({ call }) => {
      leaf = String(readTold(await call("sessions_spawn", { task: "leaf", label: "leaf" })).childSessionKey);
      return "asked";
    });
    desk.plays(/“leaf”/, ({ input }) => `it says ${input.input[0]?.completion?.result}`);
    await desk.later(60_000);
    const before = await desk.lines(middle);
    await ask(desk, "sessions_send", { sessionKey: leaf, message: "and the tests?", timeoutSeconds: 0 });
    await desk.rest();
    expect((await desk.runs()).at(-1)).toMatchObject({
      childSessionKey: leaf,
      requesterSessionKey: ADA,
      toldSessionKey: ADA,
      settledBy: "parent",
    });
    expect(desk.heard().at(-1)).toBe("it says 3 tests");
    expect(await desk.lines(middle)).toEqual(before);
  });
});

describe("the runs of one tree", () => {
  const options = { limits: { maxTreeRuns: 1 } } as const;

  it("are counted with those that messages opened", async () => {
    const desk = await new TreeDesk({ options }).start();
    const { key } = await spawn(desk, "docs");
    const { promise, resolve } = Promise.withResolvers<string>();
    desk.plays(/^more/, () => promise);
    const send = (message: string) => ask(desk, "sessions_send", { sessionKey: key, message, timeoutSeconds: 0 });
    expect((await send("more")).status).toBe("sent");
    const full = { status: "forbidden", error: expect.stringMatching(/\b1 runs?\b.* at work in this tree/) };
    expect(await send("and more")).toMatchObject(full);
    expect((await ask(desk, "sessions_spawn", { task: "work as another" })).status).toBe("forbidden");
    expect(await desk.runs()).toHaveLength(2);
    resolve("done");
    await desk.rest();
    expect((await send("and more")).status).toBe("sent");
  });
});
