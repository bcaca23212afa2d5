import { createGate, type Gate } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { readTranscript } from "../stage/transcript.ts";

const KEY = "agent:main:telegram:dm:7";

/** Ada alone with a bot whose agent begins a tale, waits, and ends it; each turn has a gate of its own. */
async function openTale({ account = {}, speed = 1 }: { account?: object; speed?: number } = {}) {
  const gates: Gate[] = [];
  const agent = createScriptedAgent((turn) => async () => {
    const text = turn.input.input.map((message) => message.text).join("\n");
    const gate = createGate();
    gates.push(gate);
    if (text.includes("tale")) {
      await turn.say("Once ");
      await turn.waitFor(gate.opened);
      await turn.say("upon a time");
    } else await turn.say(`heard: ${text}`);
    return undefined;
  });
  const { telegram, env } = await openTelegram([7]);
  const ports = speed === 1 ? {} : { clock: createHurriedClock(speed) };
  const channels = { telegram: { accounts: { default: account } } };
  const grove = await openGrove({ runtimes: agent.runtimes, config: { ...agent.config, channels }, env, ports });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const readChat = async () => (await ada.messages()).map(({ text }) => text);
  return { telegram, grove, ada, gates, readChat };
}

test("T45: an answer is seen while it is made, and is one message in the end", async () => {
  const { telegram, grove, ada, gates, readChat } = await openTale();
  await ada.says("tell me a tale");
  await ada.hearsDraft("Once ▍");
  gates[0]?.open();
  await ada.hears("Once upon a time", { once: true });
  await grove.rests();
  expect([await readChat(), await ada.drafts()]).toEqual([["Once upon a time"], []]);
  expect(await telegram.record({ method: "editMessageText" })).toEqual([]);
});

test("T61: whoever stops it has stopped the turn: what was said is kept, and the next message is answered", async () => {
  const { grove, ada, readChat } = await openTale();
  await ada.says("tell me a tale");
  await ada.hearsDraft("Once ▍");
  await ada.stopsDraft();
  await ada.hears("Stopped. What was said so far is kept.", { once: true });
  await ada.says("good night");
  await ada.hears("heard: good night", { once: true });
  await grove.rests();
  expect(await readChat()).toHaveLength(2);
  expect(await readTranscript(grove, KEY)).toEqual([
    "user: tell me a tale",
    "assistant (stopped): Once ",
    "user: good night",
    "assistant: heard: good night",
  ]);
});

test("T57: on a server without drafts it grows in a message, and is one in the end, also over a restart", async () => {
  const { telegram, grove, ada, gates, readChat } = await openTale({ speed: 20 });
  const description = "Not Found: method not found";
  await telegram.faults.add({ kind: "refuse", method: "sendMessageDraft", code: 404, description, times: "always" });
  await ada.says("tell me a tale");
  await ada.hears("Once ▍");
  await grove.restart();
  await grove.until("the turn to run again", () => gates[1]);
  gates[1]?.open();
  await ada.hears("Once upon a time", { once: true });
  await grove.rests();
  expect(await readChat()).toEqual(["Once upon a time"]);
});

test("what a turn showed that was stopped goes from the chat", async () => {
  const { telegram, ada, readChat } = await openTale({ account: { growingAnswers: "edits" }, speed: 20 });
  await ada.says("tell me a tale");
  await ada.hears("Once ▍");
  await ada.says("/stop");
  await ada.hears("Stopped. What was said so far is kept.", { once: true });
  await telegram.called("deleteMessage");
  expect(await readChat()).toEqual(["Stopped. What was said so far is kept."]);
});
