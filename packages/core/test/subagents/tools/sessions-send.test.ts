import { describe, expect, it } from "vitest";
import { aborted } from "../../turns/played-runtime.ts";
import { TreeDesk } from "../tree-desk.ts";
import { ADA, ask, BOB, createGate, readTold, spawn, type Told } from "./tool-desk.ts";

const OPEN = { options: { sessionTools: { visibility: "all" } } } as const;

describe("sessions_send to a child that works on one task", () => {
  it("is a run of its own, answered in the turn and told of as any other", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "docs");
    desk.plays(/^and the tests\?/, () => "3 tests");
    desk.plays(/“docs” has finished/, ({ input }) => `it says ${input.input[0]?.completion?.result}`);
    const told = await ask(desk, "sessions_send", { sessionKey: key, message: "and the tests?" });
    expect(told).toMatchObject({ status: "replied", reply: "3 tests", isError: false });
    const [, run] = await desk.runs();
    expect(run).toMatchObject({ runId: told.runId, childSessionKey: key, state: "ended", endedReason: "complete" });
    expect(JSON.parse(run?.body ?? "{}")).toMatchObject({ source: "send", mode: "run", label: "docs" });
    expect(desk.heard().slice(-2)).toEqual(["asked", "it says 3 tests"]);
    expect(await desk.lines(key)).toEqual([
      "user: work as docs",
      "assistant: docs done",
      "user: and the tests?",
      "assistant: 3 tests",
    ]);
  });

  it("does not wait when it is told so, and says when the time is over", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "docs");
    const gate = createGate();
    desk.plays(/^take your time/, gate.player);
    const message = "take your time";
    expect(await ask(desk, "sessions_send", { sessionKey: key, message, timeoutSeconds: 0 })).toEqual({
      status: "sent",
      runId: expect.any(String),
      isError: false,
    });
    let told: Told | undefined;
    desk.plays(/^wait a bit/, async ({ call }) => {
      told = readTold(await call("sessions_send", { label: "DOCS", message, timeoutSeconds: 5 }));
      return "waited";
    });
    await desk.says("wait a bit");
    expect(told).toBeUndefined();
    await desk.ports.clock.advance(5_000);
    expect(told).toMatchObject({ status: "timeout", runId: expect.any(String), isError: false });
    expect(desk.heard().at(-1)).toBe("waited");
    gate.open("at last");
    await desk.rest();
    expect((await desk.runs()).map(({ state }) => state)).toEqual(["ended", "ended", "ended"]);
  });

  it("counts as a running sub-agent", async () => {
    const subagents = { maxChildrenPerAgent: 1 };
    const main = { runtime: "played", workspace: "/workspace", tools: { deny: [] }, subagents };
    const desk = await new TreeDesk({ agents: { main } }).start();
    const { key } = await spawn(desk, "docs");
    const gate = createGate();
    desk.plays(/^more/, gate.player);
    await ask(desk, "sessions_send", { sessionKey: key, message: "more", timeoutSeconds: 0 });
    const told = await ask(desk, "sessions_send", { sessionKey: key, message: "and more", timeoutSeconds: 0 });
    expect(told).toMatchObject({ status: "forbidden", error: expect.stringContaining("1 of your sub-agents") });
  });
});

describe("sessions_send to any other session", () => {
  it("is a turn there whose answer goes back and to no chat", async () => {
    const desk = await new TreeDesk(OPEN).start();
    await desk.says("hello", "bob");
    desk.plays(/^what is up/, () => "not much");
    const told = await ask(desk, "sessions_send", { sessionKey: BOB, message: "what is up?" });
    expect(told).toEqual({ status: "replied", reply: "not much", isError: false });
    expect(desk.heard("bob")).toEqual(["re: hello"]);
    expect((await desk.lines(BOB)).slice(-2)).toEqual(["user: what is up?", "assistant: not much"]);
    expect(await desk.runs()).toEqual([]);
    expect(desk.turns.at(-1)?.input[0]).toMatchObject({ kind: "nested", sender: { id: ADA, displayName: "main" } });
  });

  it("hears that it keeps silent, was stopped, or could not", async () => {
    const desk = await new TreeDesk(OPEN).start();
    await desk.says("hello", "bob");
    const send = (message: string) => ask(desk, "sessions_send", { sessionKey: BOB, message });
    desk.plays(/^silence/, () => "NO_REPLY");
    expect(await send("silence")).toMatchObject({ status: "replied", reply: "" });
    desk.plays(/^nothing/, () => "");
    expect(await send("nothing")).toMatchObject({
      status: "error",
      error: expect.stringContaining("without an answer"),
    });
    desk.plays(/^break/, () => {
      throw new Error("the model is gone");
    });
    expect(await send("break")).toMatchObject({ status: "error", error: expect.stringContaining("the model is gone") });
    desk.plays(/^linger/, ({ signal }) => aborted(signal).then(() => "half a"));
    let told: Told | undefined;
    desk.plays(/^go/, async ({ call }) => {
      told = readTold(await call("sessions_send", { sessionKey: BOB, message: "linger" }));
      return "gone";
    });
    await desk.says("go");
    await desk.says("/stop", "bob");
    await desk.ports.clock.advance(2_000);
    expect(told).toMatchObject({ status: "error", error: expect.stringContaining("its turn was stopped") });
  });

  it("works where that session speaks, so what it spawns is told of there", async () => {
    const desk = await new TreeDesk(OPEN).start();
    await desk.says("hello", "bob");
    desk.plays(/^please look/, async ({ call }) => {
      await call("sessions_spawn", { task: "look", label: "l" });
      return "I will";
    });
    desk.plays(/^look/, () => "found");
    desk.plays(/“l” has finished/, () => "here it is");
    await ask(desk, "sessions_send", { sessionKey: BOB, message: "please look" });
    expect(desk.heard("bob")).toEqual(["re: hello", "here it is"]);
    expect(desk.heard()).toEqual(["asked"]);
  });

  it("does not reach what may not be seen, and says the same of what is not there", async () => {
    const desk = await new TreeDesk().start();
    const { key } = await spawn(desk, "adas plan");
    const nobody = "agent:main:irc:dm:nobody";
    const send = async (target: object) =>
      JSON.stringify(await ask(desk, "sessions_send", { ...target, message: "hi", timeoutSeconds: 0 }, "bob"));
    const missing = await send({ sessionKey: nobody });
    for (const hidden of [ADA, key]) {
      expect(await send({ sessionKey: hidden })).toBe(missing.replaceAll(nobody, hidden));
    }
    expect(await send({ label: "adas plan" })).toBe(missing.replaceAll(nobody, "adas plan"));
    expect(desk.steps.filter(({ step }) => step === "enqueue")).toEqual([]);
  });

  it("is refused to oneself, without a target and without words", async () => {
    const desk = await new TreeDesk().start();
    await desk.says("hello");
    const send = (args: object) => ask(desk, "sessions_send", args);
    expect((await send({ sessionKey: ADA, message: "hi" })).error).toContain("your own session");
    expect((await send({ message: "hi" })).error).toContain("either sessionKey or label");
    expect((await send({ sessionKey: ADA, label: "x", message: "hi" })).error).toContain("either sessionKey or label");
    expect((await send({ sessionKey: BOB, message: " " })).error).toContain("must not be blank");
    expect((await send({ sessionKey: BOB, message: "hi", timeoutSeconds: 4_000 })).error).toContain("timeoutSeconds");
  });

  it("asks for the key where several have the label", async () => {
    const desk = await new TreeDesk().start();
    const one = await spawn(desk, "twin");
    const other = await spawn(desk, "twin");
    const told = await ask(desk, "sessions_send", { label: "twin", message: "hi" });
    expect(told.error).toContain("several are called so");
    expect(told.error).toContain(one.key);
    expect(told.error).toContain(other.key);
  });
});
