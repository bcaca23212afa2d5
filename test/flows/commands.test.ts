import { expect, test } from "vitest";
import { openBothChannels } from "../stage/both-channels.ts";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { readTranscript } from "../stage/transcript.ts";

const TELEGRAM = "agent:main:telegram:dm:7";

test("help, status and whoami are answered on every channel, without the agent and without a trace in its transcript", async () => {
  const agent = createListener();
  const { grove, places } = await openBothChannels(agent);
  for (const { person, key, id, channel } of places) {
    await person.says("/help");
    const help = await person.hears(/You talk with the agent/);
    for (const name of ["/help", "/status", "/new", "/stop", "/whoami"]) expect(help.text).toContain(name);
    await person.says("/whoami");
    const who = await person.hears(/^You are/);
    expect(who.text.replaceAll("`", "")).toBe(`You are ${id} on ${channel} (account default).\nSession: ${key}`);
    await person.says("hello");
    await person.hears("heard: hello");
    await person.says("/STATUS");
    const status = await person.hears(/idle/);
    expect(status.text.replaceAll(/[`*]/g, "")).toMatch(
      /^Agent main \(scripted\), idle\.\nSession agent:.*\nSince just now · 2 messages$/,
    );
    expect(await readTranscript(grove, key)).toEqual(["user: hello", "assistant: heard: hello"]);
  }
  expect(agent.record.attempts).toHaveLength(2);
});

test("new and reset begin a conversation that knows nothing of the old one, whose transcript is kept", async () => {
  const agent = createListener();
  const { grove, places } = await openBothChannels(agent);
  for (const { person, key } of places) {
    for (const command of ["/new", "/reset"]) {
      await person.says(`before ${command}`);
      await person.hears(`heard: before ${command}`);
      const old = await grove.read((read) => read.session(key));
      await person.says(command);
      await person.hears("A new conversation begins; the old one is kept.");
      await person.says("hello again");
      await person.hears("heard: hello again");
      expect(agent.record.of(key).at(-1)?.history).toEqual([]);
      const kept = await readTranscript(grove, key, old?.sessionId);
      expect(kept.slice(-3)).toEqual([
        `user: before ${command}`,
        `assistant: heard: before ${command}`,
        "reset: manual",
      ]);
      expect(await readTranscript(grove, key)).toEqual(["user: hello again", "assistant: heard: hello again"]);
    }
  }
});

test("text behind new is the first message of the new conversation", async () => {
  const agent = createListener();
  const { grove, places } = await openBothChannels(agent);
  for (const { person, key } of places) {
    await person.says("before");
    await person.hears("heard: before");
    await person.says("/new what is a banyan?");
    await person.hears("A new conversation begins; the old one is kept.");
    await person.hears("heard: what is a banyan?");
    expect(agent.record.of(key).at(-1)?.history).toEqual([]);
    expect(await readTranscript(grove, key)).toEqual([
      "user: what is a banyan?",
      "assistant: heard: what is a banyan?",
    ]);
  }
});

test.each([
  ["messages right behind new", ["last", "/new", "first", "second"]],
  ["the text behind new, and messages right behind it", ["last", "/new first", "second"]],
])("%s, given out at once, are answered in the new conversation and in order", async (_, lines) => {
  const { telegram, env } = await openTelegram([7]);
  const agent = createListener();
  const grove = await openGrove({ env, runtimes: agent.runtimes, config: agent.config });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("canary");
  await ada.hears("heard: canary");
  await grove.stop();
  await telegram.sayAll(lines.map((text) => ({ user: ada, text })));
  await grove.restart();
  await ada.hears("heard: second");
  await grove.rests();
  const histories = agent.record.of(TELEGRAM).map(({ input, history }) => `${input[0]?.text} after ${history.length}`);
  expect(histories.slice(-2)).toEqual(["first after 0", "second after 2"]);
  expect(await readTranscript(grove, TELEGRAM)).toEqual([
    "user: first",
    "assistant: heard: first",
    "user: second",
    "assistant: heard: second",
  ]);
});

test("what has not the form of a command, such as a path, goes to the agent as it is", async () => {
  const { places } = await openBothChannels(createListener());
  for (const { person } of places) {
    for (const text of ["/etc/hosts", "/tmp/oaks.txt is empty", "/ help", "//help", "help", "/help.", "/new/york"]) {
      await person.says(text);
      await person.hears(`heard: ${text}`);
    }
  }
});

test("a command of a stranger is refused like any other word of his", async () => {
  const { telegram, env } = await openTelegram([7]);
  const agent = createListener();
  const grove = await openGrove({ env, runtimes: agent.runtimes, config: agent.config });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  await bob.says("/whoami");
  await bob.hears(/^This bot is private\./);
  await grove.rests();
  expect(await bob.messages()).toHaveLength(1);
});
