import { call, createGate, type Gate, type Script, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { fetchRuns } from "../../src/chat/chat-client.ts";
import type { ChatGateway } from "../../src/chat/chat-gateway.ts";
import { chatThroughPipe } from "../../src/chat/chat-through-pipe.ts";
import { openChatStage } from "./chat-stage.ts";

const PATIENCE_MS = 50_000;

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
  await expect(chat).rejects.toThrow(/nothing arrived for 0\.05 s; the message is stored and will be answered/);
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

/** Opens the gate only once the chat has heard its answer and looked twice: one that ends before that hears no more. */
function openLate(gateway: ChatGateway, gate: Gate, heard: readonly string[]): ChatGateway {
  let looks = 0;
  const findDoor = () => {
    if (heard.length > 0) looks += 1;
    if (looks === 2) gate.open();
    return gateway.findDoor();
  };
  return { ...gateway, findDoor };
}

const BOUGHT = "12 eggs and a loaf of bread";

/** Spawns a buyer at "shop", and says what it brought. */
function shopping(gate: Gate): Script {
  return ({ spec, input }) => {
    if (spec.sessionKey.includes(":subagent:")) return [wait(gate), ...say(BOUGHT)];
    const completion = input.input.find(({ kind }) => kind === "completion");
    if (completion !== undefined) return say(`Home again with ${BOUGHT}.`);
    return [call("sessions_spawn", { task: "buy eggs", label: "buyer" }), ...say("Somebody is on the way.")];
  };
}

test("what its sub-agents bring is waited for, and the merged answer written", async () => {
  const gate = createGate();
  const { gateway } = await openChatStage(shopping(gate));
  const heard: string[] = [];
  const write = (text: string) => void heard.push(text);
  await chatThroughPipe(openLate(gateway, gate, heard), { lines: linesOf("shop"), write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual(["Somebody is on the way.", `Home again with ${BOUGHT}.`]);
});

test("the end of what /spawn began is written, the end of what somebody else began is not waited for", async () => {
  const [early, late] = [createGate(), createGate()];
  const stage = await openChatStage(({ spec, input }) =>
    spec.sessionKey.includes(":subagent:")
      ? [wait(JSON.stringify(input.input).includes("nap") ? late : early), ...say(BOUGHT)]
      : say("heard"),
  );
  await stage.saysElsewhere("/spawn nap");
  const { signal } = new AbortController();
  await expect.poll(async () => (await fetchRuns(await stage.gateway.findDoor(), signal)).length).toBe(1);
  const heard: string[] = [];
  const write = (text: string) => void heard.push(text);
  const lines = linesOf("/spawn buy eggs");
  await chatThroughPipe(openLate(stage.gateway, early, heard), { lines, write, patienceMs: PATIENCE_MS });
  expect(heard).toEqual([expect.stringContaining("is at work"), expect.stringContaining(BOUGHT)]);
  late.open();
});

test("a sub-agent that does not move for too long is left to the gateway", async () => {
  const gate = createGate();
  const { gateway } = await openChatStage(shopping(gate));
  const chat = chatThroughPipe(gateway, { lines: linesOf("shop"), write: () => undefined, patienceMs: 200 });
  await expect(chat).rejects.toThrow(/nothing moved for 0\.2 s, 1 sub-agent not reported yet; they continue/);
  gate.open();
});
