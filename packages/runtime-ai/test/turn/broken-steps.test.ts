import { setImmediate } from "node:timers/promises";
import { findLastSaid, listToolResults, type ModelScript, readText } from "@banyan/emulator-model";
import { createManualClock } from "@banyan/plugin-sdk/kit";
import { endOf, readAll, TurnDesk, textOf } from "@banyan/plugin-sdk/runtime/suite";
import { convertArrayToReadableStream, MockLanguageModelV4 } from "ai/test";
import { expect, it } from "vitest";
import { createAiRuntime } from "../../src/index.ts";
import { hurriedClock } from "../stage/loopback-harness.ts";
import { openModelStage } from "../stage/model-stage.ts";

const NOTE = { name: "note", description: "note", parameters: { type: "object" } };
const note = { note: () => ({ text: "kept", isError: false }) };

const noteOnce: ModelScript = (request) =>
  listToolResults(request).length === 0
    ? { text: "I note it.", calls: [{ name: "note", args: { text: "a" } }] }
    : { text: ["Done", "."] };

it("makes a call once when the stream breaks right behind it", async () => {
  const { server, ask, desk } = await openModelStage(noteOnce);
  server.fault({ kind: "break", afterChunks: 4 });
  const events = await ask("note a", { tools: note });
  expect(desk.ran).toHaveLength(1);
  expect(events.filter(({ type }) => type === "tool_start")).toHaveLength(1);
});

it("asks the same again when the step behind a tool breaks before its first word", async () => {
  const { server, ask } = await openModelStage(noteOnce);
  server.fault({ kind: "break", afterChunks: 0, skip: 1 });
  expect(textOf(await ask("note a", { tools: note }))).toBe("I note it.\n\nDone.");
  const [second, third] = server.asked.slice(1).map(({ request }) => request.messages);
  expect(third).toEqual(second);
  expect(third?.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  expect(third?.[2]).toMatchObject({ content: "I note it." });
});

it("takes a stream that only ends for one that broke", async () => {
  const { server, ask } = await openModelStage(() => ({ text: ["Hel", "lo."] }));
  server.fault({ kind: "end", afterChunks: 1 });
  expect(textOf(await ask("hello"))).toBe("Hello.");
  expect(server.asked).toHaveLength(2);
});

it("counts failures in a row: what got further begins anew", async () => {
  const { server, ask } = await openModelStage(noteOnce);
  server.fault({ kind: "refuse", status: 503, times: 3 });
  server.fault({ kind: "refuse", status: 503, times: 3, skip: 1 });
  expect(textOf(await ask("note a", { tools: note }))).toBe("I note it.\n\nDone.");
  expect(server.asked).toHaveLength(8);
});

it("delivers a steered message to the try behind one that failed", async () => {
  const { server, desk, runtime } = await openModelStage((request) => ({ text: `You say ${findLastSaid(request)}.` }));
  const gate = server.hold({ times: 1 });
  const session = await desk.open(runtime, {}, hurriedClock);
  const run = session.run(desk.turn("hello"));
  const reading = readAll(run);
  await server.awaitAsked(1);
  const receipt = run.steer({ kind: "message", text: "wait" });
  await gate.reached();
  await gate.cut();
  expect(await receipt).toBe("delivered");
  expect(textOf(await reading)).toBe("You say wait.");
});

it("begins a tool when what was said before it has been told", async () => {
  const words = Array.from({ length: 700 }, (_, at) => `word${at} `);
  const { server, desk, runtime } = await openModelStage((request) =>
    listToolResults(request).length === 0 ? { text: words, calls: [{ name: "note" }] } : { text: "Done." },
  );
  const session = await desk.open(runtime, { tools: [NOTE] });
  const run = session.run(desk.turn("talk", note));
  await server.awaitAsked(1);
  while (server.asked[0]?.end === undefined) await setImmediate();
  for (let round = 0; round < 50; round += 1) await setImmediate();
  expect(desk.ran).toEqual([]);
  const events = await readAll(run);
  expect(
    textOf(
      events.slice(
        0,
        events.findIndex(({ type }) => type === "tool_start"),
      ),
    ),
  ).toBe(words.join(""));
});

it.each(["interrupted", "other"] as const)("takes an end that says %s for none", async (unified) => {
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  let asked = 0;
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: convertArrayToReadableStream([
        { type: "text-start", id: "0" },
        { type: "text-delta", id: "0", delta: asked++ === 0 ? "Hello " : "world." },
        { type: "text-end", id: "0" },
        {
          type: "finish",
          usage,
          finishReason: asked === 1 ? { unified, raw: undefined } : { unified: "stop", raw: "stop" },
        },
      ]),
    }),
  });
  const getModel = async (name: string) => ({ name, model, windowTokens: 10_000 });
  const runtime = createAiRuntime({ providers: {}, defaultModel: "mock/small", getModel });
  const desk = new TurnDesk();
  const session = await desk.open(runtime, {}, hurriedClock);
  const events = await readAll(session.run(desk.turn("hello")));
  expect(textOf(events)).toBe("Hello world.");
  expect(endOf(events)).toMatchObject({ usage: { inputTokens: 2, outputTokens: 2 } });
});

it.each([
  ["in the middle of its words", 0, "Hello world."],
  ["behind a tool", 1, "I note it.\n\nHello world."],
])("leaves a model that falls silent %s, and goes on", async (_place, skip, said) => {
  const { server, desk, runtime } = await openModelStage((request) => {
    if (request.messages.some((message) => readText(message).includes("go on right after"))) return { text: "world." };
    if (skip === 1 && listToolResults(request).length === 0) return { text: "I note it.", calls: [{ name: "note" }] };
    return { text: ["Hello ", "worms"] };
  });
  const gate = server.hold({ afterChunks: 2, times: 1, skip });
  const clock = createManualClock();
  const session = await desk.open(runtime, { tools: [NOTE] }, clock);
  const run = session.run(desk.turn("hello", note));
  const greeted = Promise.withResolvers<void>();
  let heard = "";
  const reading = (async () => {
    for await (const event of run.events) {
      if (event.type === "text") heard += event.delta;
      if (heard.includes("Hello")) greeted.resolve();
    }
  })();
  await Promise.all([greeted.promise, gate.reached()]);
  clock.advance(180_000);
  clock.advance(await clock.awaitAlarm(500));
  await reading;
  expect(heard).toBe(said);
});
