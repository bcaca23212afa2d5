import { createGate, hang, say, wait } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

const SESSION = "agent:main:telegram:dm:7";

test("a turn under way and what waits behind it go on after a restart, in order, and no attempt is used up", async () => {
  const { telegram, env } = await openTelegram([7]);
  const gate = createGate();
  const agent = createScriptedAgent((turn) => [...say("well, "), wait(gate), ...say(turn.input.input[0]?.text ?? "")]);
  const ports = { clock: createHurriedClock(100) };
  const grove = await openGrove({ env, ports, runtimes: agent.runtimes, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("one");
  await gate.reached;
  await ada.says("two");
  await ada.says("three");
  await grove.until("the messages to wait", () =>
    grove.read(async (read) => ((await read.lane(SESSION)).waiting === 2 ? true : undefined)),
  );
  await grove.stop();
  expect(await ada.messages()).toEqual([]);
  gate.open();
  await grove.restart();
  for (const word of ["one", "two", "three"]) await ada.hears(`well, ${word}`);
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["well, one", "well, two", "well, three"]);
  expect(agent.record.attempts.map(({ input, attempt }) => `${input[0]?.text} ${attempt}`)).toEqual([
    "one 1",
    "one 1",
    "two 1",
    "three 1",
  ]);
});

test("an agent that hears no stop does not keep the gateway from stopping, and its turn is run again", async () => {
  const { telegram, env } = await openTelegram([7]);
  const gate = createGate();
  const agent = createScriptedAgent((turn) => [hang(gate), ...say(`heard: ${turn.input.input[0]?.text}`)]);
  const ports = { clock: createHurriedClock(100) };
  const grove = await openGrove({ env, ports, runtimes: agent.runtimes, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("hello");
  await gate.reached;
  await grove.stop();
  gate.open();
  await grove.restart();
  await ada.hears("heard: hello", { once: true });
  expect(agent.record.of(SESSION).map(({ attempt }) => attempt)).toEqual([1, 1]);
});

test("an answer that found the platform away is delivered after the restart, marked, and those behind it follow", async () => {
  const { telegram, env } = await openTelegram([7]);
  const { runtimes, config } = createListener();
  const grove = await openGrove({ env, runtimes, config });
  const outage = await telegram.faults.add({ kind: "drop-request", method: "sendMessage", times: "always" });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("one");
  await outage.met();
  await ada.says("two");
  await grove.until("both answers to wait", async () => ((await grove.deliveries()).length === 2 ? true : undefined));
  await grove.stop();
  await outage.remove();
  expect(await ada.messages()).toEqual([]);
  await grove.restart();
  await ada.hears("heard: two");
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["(may be repeated)\nheard: one", "heard: two"]);
  await grove.rests();
  expect((await grove.deliveries()).map(({ state }) => state)).toEqual(["sent_maybe_repeated", "sent"]);
});

test("what the platform gives out a second time is known and answered once", async () => {
  const { telegram, env } = await openTelegram([7]);
  const { runtimes, config, record } = createListener();
  let isCutOff = false;
  const cutOff = (point: string) => {
    if (point !== "T0.after" || isCutOff) return;
    isCutOff = true;
    throw new Error("cut off between storing and acknowledging");
  };
  const ports = { clock: createHurriedClock(50), faultPoint: cutOff };
  const grove = await openGrove({ env, ports, runtimes, config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await telegram.sayAll(["one", "two"].map((text) => ({ user: ada, text })));
  await grove.until("Telegram to be acknowledged", async () =>
    (await telegram.bot()).pendingUpdates === 0 ? true : undefined,
  );
  await grove.restart();
  await ada.hears("heard: one");
  await ada.hears("heard: two");
  await grove.rests();
  expect(record.of(SESSION).map(({ input }) => input[0]?.text)).toEqual(["one", "two"]);
  expect(await ada.messages()).toHaveLength(2);
});

test("a message that the web chat is given twice, also after a restart, is answered once", async () => {
  const { runtimes, config, record } = createListener();
  const grove = await openGrove({ runtimes, config });
  const ada = grove.web("ada");
  await ada.says("hello", "m-1");
  await ada.says("hello", "m-1");
  await ada.hears("heard: hello");
  await grove.restart();
  await ada.says("hello", "m-1");
  await ada.says("bye", "m-2");
  await ada.hears("heard: bye");
  expect(record.attempts.map(({ input }) => input[0]?.text)).toEqual(["hello", "bye"]);
  expect(await ada.lines()).toEqual(["user: hello", "assistant: heard: hello", "user: bye", "assistant: heard: bye"]);
});

test("what was said while the gateway was away is answered when it is back, in the conversation it belongs to", async () => {
  const { telegram, env } = await openTelegram([7]);
  const { runtimes, config, record } = createListener();
  const grove = await openGrove({ env, runtimes, config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("before");
  await ada.hears("heard: before");
  const before = await grove.read((read) => read.session(SESSION));
  await grove.stop();
  await ada.says("meanwhile");
  await grove.restart();
  await ada.hears("heard: meanwhile");
  const after = await grove.read((read) => read.session(SESSION));
  expect(after?.sessionId).toBe(before?.sessionId);
  expect(
    record
      .of(SESSION)
      .at(-1)
      ?.history.map(({ content }) => content),
  ).toMatchObject([[{ text: "before" }], [{ text: "heard: before" }]]);
});

test("a command that waited through the restart is carried out", async () => {
  const { telegram, env } = await openTelegram([7]);
  const { runtimes, config } = createListener();
  let isCutOff = false;
  const cutOff = (point: string) => {
    if (point !== "command.before" || isCutOff) return;
    isCutOff = true;
    throw new Error("cut off before the command was committed");
  };
  const grove = await openGrove({ env, ports: { faultPoint: cutOff }, runtimes, config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await telegram.sayAll(["/whoami", "hello"].map((text) => ({ user: ada, text })));
  await grove.until("the command to be cut off", () => (isCutOff ? true : undefined));
  await grove.restart();
  await ada.hears(/^You are 7 on telegram/, { once: true });
  await ada.hears("heard: hello", { once: true });
});
