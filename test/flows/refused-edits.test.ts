import { call, createGate, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { EVERY_EDIT_REFUSED } from "../stage/refused-edit.ts";
import { createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

/** Ada alone with a bot on Telegram, which refuses every edit of a message. */
async function openChat(account: object = {}, tools: object = {}) {
  const gate = createGate();
  const agent = createScriptedAgent((turn) => {
    const [input] = turn.input.input;
    const text = input?.text ?? "";
    if (turn.spec.sessionKey.includes(":subagent:")) return [...say(`on ${text}`), wait(gate), ...say(": 42")];
    if (text === "read") return [call("read_file", { path: "notes.md" }), ...say("It is read.")];
    return [...say("Once "), wait(gate), ...say("upon a time")];
  });
  const { telegram, env } = await openTelegram([7]);
  const main = { runtime: "scripted", default: true, tools };
  const config = { agents: { main }, channels: { telegram: { accounts: { default: account } } } };
  const files = { "notes.md": "the well is deep" };
  const grove = await openGrove({ runtimes: agent.runtimes, config, env, files });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const refused = await telegram.faults.add(EVERY_EDIT_REFUSED);
  const texts = async () => (await ada.messages()).map(({ text }) => text);
  const states = async () => new Set((await grove.deliveries()).map(({ state }) => state));
  return { refused, grove, ada, gate, texts, states };
}

test("a result whose status takes no edit is a new message, once, and nothing is left to retry", async () => {
  const { grove, ada, gate, texts, states } = await openChat();
  await ada.says("/spawn --label census x");
  await ada.hears(/^🌱 census is at work/);
  gate.open();
  await ada.hears(/^✅ census · done in .*\n\non x: 42$/s, { once: true });
  await ada.hears("✅ census is done: see above.", { once: true });
  await grove.until("the end of the status", async () => {
    const timers = await grove.read((read) => read.timers({ limit: 9 }));
    return timers.some(({ kind }) => kind === "status") ? undefined : true;
  });
  await grove.rests();
  expect(await states()).toEqual(new Set(["sent"]));
  expect(await texts()).toHaveLength(3);
  await ada.says("/retry census");
  await ada.hears("Nothing to send again: no message of census has failed.");
});

test("an answer that grew in a message which takes no edit any more is a new message, and the beginning goes", async () => {
  const { refused, grove, ada, gate, texts } = await openChat({ growingAnswers: "edits" });
  await ada.says("tell me a tale");
  await refused.met();
  gate.open();
  await ada.hears("Once upon a time", { once: true });
  await grove.rests();
  expect(await texts()).toEqual(["Once upon a time"]);
});

test("what became of a question whose message takes no edit is a new message, once", async () => {
  const { grove, ada, texts } = await openChat({}, { ask: ["read_file"] });
  await ada.says("read");
  await ada.hears(/wants to use read_file/);
  await ada.presses("Allow");
  await ada.hears("It is read.", { once: true });
  await ada.hears(/wants to use read_file.*\n\nAllow \(Ada\)$/s);
  await grove.rests();
  expect((await texts()).filter((text) => text.endsWith("Allow (Ada)"))).toHaveLength(1);
});
