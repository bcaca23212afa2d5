import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createListener } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { openWireTown } from "../stage/wire-town.ts";

test.each([
  {
    session: { dmScope: "per-channel-peer" },
    keys: [
      "agent:main:telegram:dm:7",
      "agent:main:telegram:dm:8",
      "agent:main:webchat:dm:cleo",
      "agent:main:webchat:dm:dan",
    ],
  },
  {
    session: { dmScope: "per-account-channel-peer" },
    keys: [
      "agent:main:telegram:default:dm:7",
      "agent:main:telegram:default:dm:8",
      "agent:main:webchat:default:dm:cleo",
      "agent:main:webchat:default:dm:dan",
    ],
  },
  {
    session: { dmScope: "per-peer", acceptSharedDm: true },
    keys: ["agent:main:dm:7", "agent:main:dm:8", "agent:main:dm:cleo", "agent:main:dm:dan"],
  },
])(
  "attack 6: nothing that one person says reaches another's context under $session.dmScope",
  async ({ session, keys }) => {
    const { telegram, env } = await openTelegram([7, 8]);
    const agent = createListener();
    const { runtimes, record } = agent;
    const grove = await openGrove({ env, runtimes, config: { ...agent.config, session, log: { level: "debug" } } });
    const ada = await telegram.user({ id: 7, firstName: "Ada" });
    const bob = await telegram.user({ id: 8, firstName: "Bob" });
    const people = [ada, bob, grove.web("cleo"), grove.web("dan")];
    const canaries = ["canary-ada-4711", "canary-bob-0815", "canary-cleo-1234", "canary-dan-5678"];
    for (const [index, person] of people.entries()) {
      await person.says(`my secret is ${canaries[index]}`);
      await person.hears(`heard: my secret is ${canaries[index]}`);
    }
    await Promise.all(people.map((person) => person.says("what did I say?")));
    await Promise.all(people.map((person) => person.hears("heard: what did I say?")));

    for (const [index, key] of keys.entries()) {
      expect(record.of(key)).toHaveLength(2);
      expect(canaries.filter((canary) => record.seenBy(key).includes(canary))).toEqual([canaries[index]]);
    }
    expect(record.attempts).toHaveLength(8);
    await grove.stop();
    const log = grove.log.join("\n");
    expect(canaries.filter((canary) => log.includes(canary))).toEqual([]);
  },
);

test("under main one owner goes on with the same conversation from channel to channel", async () => {
  const { telegram, env } = await openTelegram([7]);
  const { runtimes, config, record } = createListener();
  const grove = await openGrove({ env, runtimes, config: { ...config, session: { dmScope: "main" } } });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  await ada.says("the key is under the mat");
  await ada.hears(/^heard/);
  const web = grove.web("operator");
  await web.says("where was it?");
  await web.hears("heard: where was it?");
  expect(
    record
      .of("agent:main:main")
      .at(-1)
      ?.history.map(({ content }) => content),
  ).toMatchObject([[{ text: "the key is under the mat" }], [{ text: "heard: the key is under the mat" }]]);
  expect(await ada.messages()).toHaveLength(1);
});

test("attack 7: main does not start with two people, until it is said that they may read each other", async () => {
  const { telegram, env } = await openTelegram([7, 8]);
  const { runtimes, config, record } = createListener();
  const main = { ...config, session: { dmScope: "main" } };
  await expect(openGrove({ env, runtimes, config: main })).rejects.toMatchObject({
    code: "shared_dm_refused",
    message: expect.stringMatching(
      /main is one conversation.*2 allowed senders.*per-channel-peer.*acceptSharedDm: true/s,
    ),
  });
  await openGrove({ env, runtimes, config: { ...main, session: { dmScope: "main", acceptSharedDm: true } } });
  const ada = await telegram.user({ id: 7, firstName: "Ada" });
  const bob = await telegram.user({ id: 8, firstName: "Bob" });
  await ada.says("hello Bob");
  await ada.hears("heard: hello Bob");
  await bob.says("hello Ada");
  await bob.hears("heard: hello Ada");
  expect(record.of("agent:main:main").at(-1)?.history).toHaveLength(2);
  expect((await ada.messages()).map(({ text }) => text)).toEqual(["heard: hello Bob"]);
});

test("attack 7: main does not start where anybody may write, and per-peer not where ids of two channels meet", async () => {
  const { env } = await openTelegram([7]);
  const telegram = { accounts: { default: { dmPolicy: "open" } } };
  await expect(openGrove({ env, config: { channels: { telegram }, session: { dmScope: "main" } } })).rejects.toThrow(
    /anyone may write to telegram\/default/,
  );
  await expect(openWireTown({ env, config: { session: { dmScope: "per-peer" } } })).rejects.toThrow(
    /ids of different channels may be equal \(got .*telegram/,
  );
});

test("attack 9: what a group, a bot or a stranger says reaches no agent and stays in no file", async () => {
  const { runtimes, config, record } = createListener();
  const { grove, says, hears, sentTo } = await openWireTown({
    runtimes,
    config,
    account: { dmPolicy: "allowlist" },
  });
  expect(await says("1", "canary-group", { kind: "group", chat: "99" })).toBe("refused");
  expect(await says("robot", "canary-bot", { isBot: true })).toBe("refused");
  expect(await says("2", "canary-stranger")).toBe("refused");
  await says("1", "hello");
  await hears("1", "heard: hello");
  expect(record.attempts.map(({ spec }) => spec.sessionKey)).toEqual(["agent:main:wire:dm:1"]);
  expect(await sentTo("99")).toEqual([]);
  expect(await sentTo("2")).toEqual([expect.stringContaining("This bot is private. Your id here is 2;")]);
  const sessions = await grove.read((read) => read.sessions({ limit: 10 }));
  expect(sessions.map(({ key }) => key)).toEqual(["agent:main:wire:dm:1"]);
  await grove.stop();
  expect(grove.log.join("\n")).not.toContain("canary");
  const files = readdirSync(grove.stateDir, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  const holding = files.filter((file) => readFileSync(join(file.parentPath, file.name)).includes("canary"));
  expect(files.map(({ name }) => name)).toContain("banyan.db");
  expect(holding.map(({ name }) => name)).toEqual([]);
});
