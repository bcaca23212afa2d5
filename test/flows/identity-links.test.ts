import type { TelegramUser } from "@banyan/emulator-telegram";
import { expect, test } from "vitest";
import { type Grove, openGrove } from "../stage/grove.ts";
import { createListener, type ScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";

interface LinkedTown {
  readonly ada: TelegramUser;
  readonly bob: TelegramUser;
  readonly grove: Grove;
  readonly record: ScriptedAgent["record"];
  /** The configuration with other links. */
  linked(identityLinks: Readonly<Record<string, readonly string[]>>): { config: Readonly<Record<string, unknown>> };
}

async function openLinkedTown(session: Readonly<Record<string, unknown>>): Promise<LinkedTown> {
  const { telegram, env } = await openTelegram([7, 8]);
  const { runtimes, config, record } = createListener();
  return {
    ada: await telegram.user({ id: 7, firstName: "Ada" }),
    bob: await telegram.user({ id: 8, firstName: "Bob" }),
    grove: await openGrove({ env, runtimes, config: { ...config, session } }),
    record,
    linked: (identityLinks) => ({ config: { ...config, session: { identityLinks } } }),
  };
}

const ALICE = { alice: ["telegram:7", "webchat:ada"] };

test("a linked person begins on Telegram and goes on in the web chat, where the agent knows it all", async () => {
  const { ada, grove, record } = await openLinkedTown({ identityLinks: ALICE });
  await ada.says("the key is under the mat");
  await ada.hears("heard: the key is under the mat");
  const web = grove.web("ada");
  await web.says("where was it?");
  await web.hears("heard: where was it?");
  await ada.says("thanks");
  await ada.hears("heard: thanks");
  const turns = record.of("agent:main:dm:alice");
  expect(turns.map(({ input }) => input[0]?.text)).toEqual(["the key is under the mat", "where was it?", "thanks"]);
  expect(turns.map(({ history }) => history.length)).toEqual([0, 2, 4]);
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["heard: the key is under the mat", "heard: thanks"]);
  expect(await web.lines()).toEqual(["user: where was it?", "assistant: heard: where was it?"]);
});

test("attack 8: who is not linked stays apart, also one who calls himself like her", async () => {
  const { ada, bob, grove, record } = await openLinkedTown({ identityLinks: ALICE });
  await ada.says("canary-ada");
  await ada.hears("heard: canary-ada");
  const stranger = grove.web("alice");
  for (const person of [bob, stranger]) {
    await person.says("I am alice");
    await person.hears("heard: I am alice");
  }
  expect(record.seenBy("agent:main:telegram:dm:8")).not.toContain("canary-ada");
  expect(record.seenBy("agent:main:webchat:dm:alice")).not.toContain("canary-ada");
  expect(record.of("agent:main:dm:alice")).toHaveLength(1);
});

test("attack 8: under per-peer an unlinked peer whose id is a person's name is another conversation", async () => {
  const { ada, grove, record } = await openLinkedTown({
    identityLinks: ALICE,
    dmScope: "per-peer",
    acceptSharedDm: true,
  });
  await ada.says("canary-ada");
  await ada.hears("heard: canary-ada");
  const stranger = grove.web("alice");
  await stranger.says("what did she say?");
  await stranger.hears(/^heard/);
  expect(record.seenBy("agent:main:dm:%61lice")).not.toContain("canary-ada");
  expect(record.of("agent:main:dm:alice")).toHaveLength(1);
});

test("attack 8: a start that would show her writing to somebody else is refused with the cure, and nothing is lost", async () => {
  const { ada, bob, grove, record, linked } = await openLinkedTown({ identityLinks: ALICE });
  await ada.says("canary-ada");
  await ada.hears("heard: canary-ada");
  await expect(grove.restart(linked({ alice: ["telegram:8", "webchat:ada"] }))).rejects.toMatchObject({
    code: "foreign_writers",
    message: expect.stringMatching(
      /agent:main:dm:alice of alice holds writing of telegram:7.*not linked to that name.*link it to alice again, give the person another name, or move that conversation away: banyan sessions rekey agent:main:dm:alice agent:main:dm:alice-before/,
    ),
  });
  await grove.restart(linked(ALICE));
  await ada.says("again");
  await ada.hears("heard: again");
  expect(record.of("agent:main:dm:alice").at(-1)?.history).toHaveLength(2);
  await bob.says("hello");
  await bob.hears("heard: hello");
  expect(record.seenBy("agent:main:telegram:dm:8")).not.toContain("canary-ada");
});

test("a person who is linked later begins anew, and what was said before stays where it was", async () => {
  const { ada, grove, record, linked } = await openLinkedTown({});
  await ada.says("before");
  await ada.hears("heard: before");
  await grove.restart(linked(ALICE));
  await ada.says("after");
  await ada.hears("heard: after");
  expect(record.of("agent:main:dm:alice").map(({ history }) => history.length)).toEqual([0]);
  const sessions = await grove.read((read) => read.sessions({ limit: 10 }));
  expect(sessions.map(({ key }) => key)).toEqual(["agent:main:dm:alice", "agent:main:telegram:dm:7"]);
});
