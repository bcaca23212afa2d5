import { createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { chatThroughPipe } from "../../src/chat/chat-through-pipe.ts";
import { openChatStage } from "./chat-stage.ts";

const PATIENCE_MS = 10_000;

async function* linesOf(...lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

test("each line gets its answer, in order, and blank lines none", async () => {
  const { gateway } = await openChatStage((turn) => say(`heard ${turn.input.input[0]?.text}`));
  const heard: string[] = [];
  const write = (text: string) => void heard.push(text);
  await chatThroughPipe(gateway, { lines: linesOf("one", "", "two"), write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual(["heard one", "heard two"]);
});

test("an answer to what somebody else asked before is not taken for one's own", async () => {
  const gate = createGate();
  const stage = await openChatStage([[wait(gate), ...say("for the browser")], say("for the pipe")]);
  await stage.saysElsewhere("first");
  const heard: string[] = [];
  const write = (text: string) => void heard.push(text);
  async function* lines() {
    yield "second";
    gate.open();
  }
  await chatThroughPipe(stage.gateway, { lines: lines(), write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual(["for the pipe"]);
});

test("a stop behind a long answer ends it, and the chat with it", async () => {
  const { gateway } = await openChatStage([[...say("half "), wait(createGate())]]);
  const heard: string[] = [];
  const write = (text: string) => void heard.push(text);
  await chatThroughPipe(gateway, { lines: linesOf("go on", "/stop"), write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual([expect.stringMatching(/^Stopped\./)]);
});

test("an agent that says nothing for too long is not waited for", async () => {
  const gate = createGate();
  const { gateway } = await openChatStage([[wait(gate), ...say("late")]]);
  const chat = chatThroughPipe(gateway, { lines: linesOf("hello"), write: () => undefined, patienceMs: 50 });
  await expect(chat).rejects.toThrow(/nothing was heard for 0\.05 s; the message is stored and will be answered/);
  gate.open();
});

test("the gateway goes and comes back while an answer is owed: it arrives, once", async () => {
  const gate = createGate();
  const stage = await openChatStage(
    (turn) => [...say("half "), wait(gate), ...say(`full ${turn.input.attempt}`)],
    "sqlite",
  );
  const heard: string[] = [];
  const write = (text: string) => void heard.push(text);
  async function* lines() {
    yield "hello";
    await Promise.all([stage.stop(), gate.open()]);
    await stage.start();
  }
  await chatThroughPipe(stage.gateway, { lines: lines(), write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual([expect.stringMatching(/^half full \d$/)]);
});
