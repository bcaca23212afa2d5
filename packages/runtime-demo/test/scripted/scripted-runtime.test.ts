import { buildEntry, endOf, readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { expect, it } from "vitest";
import {
  call,
  createGate,
  createScriptedRuntime,
  end,
  fail,
  failRetryably,
  hang,
  report,
  say,
  takeSteer,
  wait,
} from "../../src/index.ts";

it("plays one list of steps a turn, each session from the first on", async () => {
  const desk = new TurnDesk();
  const runtime = createScriptedRuntime([say("first"), say("second")]);
  const ada = await desk.open(runtime, { sessionKey: "agent:main:telegram:dm:ada" });
  const bob = await desk.open(runtime, { sessionKey: "agent:main:telegram:dm:bob" });
  expect(textOf(await readAll(ada.run(desk.turn("a"))))).toBe("first");
  expect(textOf(await readAll(ada.run(desk.turn("a"))))).toBe("second");
  expect(textOf(await readAll(bob.run(desk.turn("b"))))).toBe("first");
});

it("plays the same script for every attempt of a turn", async () => {
  const desk = new TurnDesk();
  const session = await desk.open(createScriptedRuntime([[failRetryably("rate limit")], say("second")]));
  await readAll(session.run(desk.turn("a")));
  expect(endOf(await readAll(session.run(desk.turn("a", {}, 2))))).toMatchObject({ error: { isRetryable: true } });
});

it("says which turn nobody wrote", async () => {
  const desk = new TurnDesk();
  const session = await desk.open(createScriptedRuntime([]));
  expect(endOf(await readAll(session.run(desk.turn("a"))))).toEqual({
    type: "end",
    reason: "error",
    error: {
      isRetryable: false,
      message: "Playing turn 1 of a session: the script ends before it; write another turn.",
    },
  });
});

it.each([
  ["fail", fail("broken"), { reason: "error", error: { isRetryable: false, message: "broken" } }],
  ["failRetryably", failRetryably("busy"), { reason: "error", error: { isRetryable: true, message: "busy" } }],
  ["end", end("length"), { reason: "length" }],
])("ends by %s, and plays nothing behind it", async (_name, step, expected) => {
  const desk = new TurnDesk();
  const session = await desk.open(createScriptedRuntime([[...say("before"), step, ...say("behind")]]));
  const events = await readAll(session.run(desk.turn("a")));
  expect(textOf(events)).toBe("before");
  expect(endOf(events)).toEqual({ type: "end", ...expected });
});

it("reports usage, also when it is stopped", async () => {
  const desk = new TurnDesk();
  const gate = createGate();
  const session = await desk.open(createScriptedRuntime([[report({ inputTokens: 7 }), wait(gate)]]));
  const run = session.run(desk.turn("a"));
  await gate.reached;
  await run.abort("/stop");
  expect(endOf(await readAll(run))).toEqual({ type: "end", reason: "stopped", usage: { inputTokens: 7 } });
});

it("stands before a gate until the test opens it", async () => {
  const desk = new TurnDesk();
  const gate = createGate();
  const session = await desk.open(createScriptedRuntime([[...say("a"), wait(gate), ...say("b")]]));
  const run = session.run(desk.turn("go"));
  await gate.reached;
  gate.open();
  expect(textOf(await readAll(run))).toBe("ab");
});

it("hangs through an abort until it is let go", async () => {
  const desk = new TurnDesk();
  const gate = createGate();
  const session = await desk.open(createScriptedRuntime([[hang(gate), ...say("late")], say("next")]));
  const run = session.run(desk.turn("go"));
  await gate.reached;
  let isAtRest = false;
  const abort = run.abort("/stop").then(() => {
    isAtRest = true;
  });
  expect(() => session.run(desk.turn("next"))).toThrow(/another turn is live/);
  expect(isAtRest).toBe(false);
  gate.open();
  await abort;
  expect(await readAll(run)).toEqual([{ type: "end", reason: "stopped" }]);
});

it("takes a steered message where it steers, and returns what the end left over", async () => {
  const desk = new TurnDesk();
  const gate = createGate();
  const runtime = createScriptedRuntime([[takeSteer(), wait(gate)]], { steer: "receipt" });
  const session = await desk.open(runtime);
  expect(runtime.capabilities.steer).toBe("receipt");
  const run = session.run(desk.turn("go"));
  expect(await run.steer({ kind: "message", text: "left" })).toBe("delivered");
  await gate.reached;
  const late = run.steer({ kind: "message", text: "right" });
  gate.open();
  expect(textOf(await readAll(run))).toBe("left");
  expect(await late).toBe("returned");
  expect(runtime.record.attempts[0]?.steered.map(({ text }) => text)).toEqual(["left"]);
});

it("ends with an error that is final when the script throws, and tells no secret of it", async () => {
  const desk = new TurnDesk();
  const session = await desk.open(createScriptedRuntime([() => Promise.reject(new Error("token 123"))]));
  const last = endOf(await readAll(session.run(desk.turn("a"))));
  expect(last).toMatchObject({ reason: "error", error: { isRetryable: false } });
  expect(JSON.stringify(last)).not.toContain("token");
  expect(desk.logged).toEqual(["The program that answers a turn failed."]);
});

it("gives a function the results of its tools", async () => {
  const desk = new TurnDesk();
  const runtime = createScriptedRuntime([
    async (turn) => {
      const { text } = await turn.callTool("dice", {});
      await turn.say(`${turn.spec.agentId} ${turn.index} ${text}`);
      return undefined;
    },
  ]);
  const session = await desk.open(runtime);
  const dice = () => ({ text: "six", isError: false });
  expect(textOf(await readAll(session.run(desk.turn("roll", { dice }))))).toBe("main 0 six");
});

it("remembers all that each session was given, so that a canary can be looked for", async () => {
  const desk = new TurnDesk();
  const runtime = createScriptedRuntime([[call("look")]]);
  const ada = await desk.open(runtime, { sessionKey: "agent:main:dm:ada", instructions: "canary-instructions" });
  const bob = await desk.open(runtime, { sessionKey: "agent:main:dm:bob" });
  desk.history = [buildEntry("canary-history")];
  const look = () => ({ text: "canary-result", isError: false });
  await readAll(ada.run(desk.turn([{ kind: "message", text: "canary-input", sender: { id: "canary-id" } }], { look })));
  desk.history = [];
  desk.committed.length = 0;
  await readAll(bob.run(desk.turn("hi", { look: () => ({ text: "nothing", isError: false }) })));
  for (const canary of ["instructions", "history", "result", "input", "id"]) {
    expect(runtime.record.seenBy("agent:main:dm:ada")).toContain(`canary-${canary}`);
  }
  expect(runtime.record.seenBy("agent:main:dm:bob")).not.toContain("canary");
  expect(runtime.record.attempts.map(({ end: last }) => last?.reason)).toEqual(["done", "done"]);
});
