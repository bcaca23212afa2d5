import { createGate, hang, say, wait } from "@banyan/runtime-demo";
import { expect, onTestFinished, test } from "vitest";
import { openBothChannels } from "../stage/both-channels.ts";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";
import { readTranscript } from "../stage/transcript.ts";

const TELEGRAM = "agent:main:telegram:dm:7";
const WEB = "agent:main:webchat:dm:ada";

test("stop ends the answer that is being made: its text is kept and marked, none of it is sent, what waits goes on", async () => {
  const gates = new Map([TELEGRAM, WEB].map((key) => [key, createGate()]));
  const agent = createScriptedAgent((turn) => {
    const gate = gates.get(turn.spec.sessionKey) ?? createGate();
    return turn.index === 0 ? [...say("once upon ", "a time"), wait(gate)] : say(`heard: ${turn.input.input[0]?.text}`);
  });
  const { grove, places } = await openBothChannels(agent);
  for (const { person, key } of places) {
    await person.says("tell me a long story");
    await gates.get(key)?.reached;
    await person.says("and another one");
    await grove.until("the second message to wait", () =>
      grove.read(async (read) => ((await read.lane(key)).waiting === 1 ? true : undefined)),
    );
    await person.says("/stop");
    await person.hears("Stopped. What was said so far is kept. 1 message still waits and will be answered.");
    await person.hears("heard: and another one");
    expect(await readTranscript(grove, key)).toEqual([
      "user: tell me a long story",
      "assistant (stopped): once upon a time",
      "user: and another one",
      "assistant: heard: and another one",
    ]);
  }
  expect((await grove.deliveries()).filter(({ body }) => body.includes("once upon"))).toEqual([]);
});

test("stop with nothing running says so and changes nothing", async () => {
  const grove = await openGrove(createListener());
  const ada = grove.web("ada");
  await ada.says("/stop");
  await ada.hears("Nothing is running.");
  await ada.says("hello");
  await ada.hears("heard: hello");
});

test("stop says which sub-agents are still running and how to stop them, with or without an answer", async () => {
  const gate = createGate();
  onTestFinished(() => gate.open());
  const agent = createScriptedAgent((turn) => async () => {
    const text = turn.input.input[0]?.text;
    if (text === "begin" || text === "dig") await turn.waitFor(gate.opened);
    await turn.say(`heard: ${text}`);
    return undefined;
  });
  const { grove, places } = await openBothChannels(agent);
  for (const { person } of places) {
    await person.says("/spawn --label oak dig");
    await person.hears(/oak.* is at work/);
    await person.says("/stop");
    await person.hears(/^No answer to stop\. 1 sub-agent is still running: `?\/kill all`? stops it\.$/);
    await person.says("/spawn --label elm dig");
    await person.hears(/elm.* is at work/);
    await person.says("begin");
    await grove.until("the answer", () => agent.record.attempts.find(({ input }) => input[0]?.text === "begin"));
    await person.says("/stop");
    await person.hears(
      /^Stopped\. What was said so far is kept\. 2 sub-agents are still running: `?\/kill <name>`? stops one, `?\/kill all`? stops all of them\.$/,
    );
    await person.says("/kill all");
    await person.hears(/^Stopped .*oak.*elm/);
    await person.says("/stop");
    await person.hears("Nothing is running.");
  }
});

test("stop is heard by an agent that hears nothing, and its lane goes on", async () => {
  const gate = createGate();
  onTestFinished(() => gate.open());
  const agent = createScriptedAgent((turn) =>
    turn.index === 0 ? [...say("well"), hang(gate), ...say(" late")] : say("here"),
  );
  const grove = await openGrove({ ...agent, ports: { clock: createHurriedClock(50) } });
  const ada = grove.web("ada");
  await ada.says("hello?");
  await gate.reached;
  await ada.says("/stop");
  await ada.hears("Stopped. What was said so far is kept.");
  await ada.says("anybody?");
  await ada.hears("here");
  gate.open();
  await ada.says("bye");
  await ada.hears("here");
  expect(await readTranscript(grove, WEB)).toEqual([
    "user: hello?",
    "assistant (stopped): well",
    "user: anybody?",
    "assistant: here",
    "user: bye",
    "assistant: here",
  ]);
});

test("a stop that meets the end of the turn leaves one answer in the transcript", async () => {
  const grove = await openGrove(createListener());
  const gate = createGate();
  grove.open.gateway.hooks.message_sending.tapPromise("slow", async ({ text }) => {
    if (!text.startsWith("heard: hello")) return undefined;
    gate.reach();
    await gate.opened;
    return undefined;
  });
  const ada = grove.web("ada");
  await ada.says("hello");
  await gate.reached;
  await ada.says("/stop");
  await ada.hears(/^(Stopped|Nothing)/);
  gate.open();
  await ada.says("bye");
  await ada.hears("heard: bye");
  const answers = (await readTranscript(grove, WEB)).filter((line) => line.endsWith(": heard: hello"));
  expect(answers).toHaveLength(1);
});

test("new stops the answer that is being made, which stays in the old transcript, and what waited is answered in the new one", async () => {
  const gate = createGate();
  const agent = createScriptedAgent((turn) =>
    turn.index === 0 ? [...say("old words"), wait(gate)] : say(`heard: ${turn.input.input[0]?.text}`),
  );
  const grove = await openGrove(agent);
  const ada = grove.web("ada");
  await ada.says("begin");
  await gate.reached;
  const old = await grove.read((read) => read.session(WEB));
  await ada.says("next");
  await ada.says("/new");
  await ada.hears(
    "A new conversation begins; the old one is kept. The running answer was stopped. 1 message that waited goes on in it.",
  );
  await ada.hears("heard: next");
  expect(await readTranscript(grove, WEB, old?.sessionId)).toEqual([
    "user: begin",
    "assistant (stopped): old words",
    "reset: manual",
  ]);
  expect(await readTranscript(grove, WEB)).toEqual(["user: next", "assistant: heard: next"]);
});
