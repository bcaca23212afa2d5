import { expect, test } from "vitest";
import { createListener } from "../stage/scripted-agent.ts";
import { openWireTown } from "../stage/wire-town.ts";

const GROVE = { kind: "group", chat: "-99" } as const;
const TO_BOT = { ...GROVE, addressed: true } as const;
const KEY = "agent:main:wire:group:-99";
const GROUPS = { groups: { allow: ["-99"] } };

test("in a group on the list only what is addressed to the bot reaches the agent, whoever says it", async () => {
  const agent = createListener();
  const { grove, says, hears, sentTo } = await openWireTown({ ...agent, account: GROUPS });
  expect(await says("5", "canary: lunch?", GROVE)).toBe("refused");
  expect(await says("5", "bot, what is for lunch?", TO_BOT)).toBe("stored");
  await hears("-99", "heard: bot, what is for lunch?");
  expect(await says("6", "and for dinner?", TO_BOT)).toBe("stored");
  await hears("-99", "heard: and for dinner?");
  expect(await says("6", "/whoami", GROVE)).toBe("stored");
  await hears("-99", `You are \`6\` on wire (account default).\nSession: \`${KEY}\``);
  expect(agent.record.of(KEY)).toHaveLength(2);
  expect(agent.record.seenBy(KEY)).not.toContain("canary");
  expect(await sentTo("5")).toEqual([]);
  await grove.stop();
  expect(grove.log.join("\n")).not.toContain("canary");
});

test("everyone who writes in a group is stored as a writer of its session, also after the first one", async () => {
  const { grove, says, hears } = await openWireTown({ ...createListener(), account: GROUPS });
  for (const sender of ["5", "6", "5"]) {
    expect(await says(sender, `bot, I am ${sender}`, TO_BOT)).toBe("stored");
    await hears("-99", `heard: bot, I am ${sender}`);
  }
  await grove.rests();
  const writers = await grove.read((read) => read.writers(KEY));
  expect(writers.map(({ channel, peer }) => `${channel}:${peer}`).sort()).toEqual(["wire:5", "wire:6"]);
});

test("attack 21: other groups, bots, and edits in a group begin no turn and are answered by nothing", async () => {
  const agent = createListener();
  const { grove, says, sentTo } = await openWireTown({ ...agent, account: GROUPS });
  expect(await says("1", "bot, hello", { ...TO_BOT, chat: "-98" })).toBe("refused");
  expect(await says("robot", "bot, hello", { ...TO_BOT, isBot: true })).toBe("refused");
  expect(await says("1", "bot, hello", { ...TO_BOT, editedAt: 5 })).toBe("refused");
  expect(await says("1", "/status", { ...GROVE, chat: "-98" })).toBe("refused");
  await grove.rests();
  expect(agent.record.attempts).toEqual([]);
  for (const chat of ["-98", "-99"]) expect(await sentTo(chat)).toEqual([]);
  expect((await grove.read((read) => read.counts())).pendingPairings).toBe(0);
  const hints = grove.log.filter((line) => line.includes("groups.allow"));
  expect(hints).toEqual([expect.stringContaining('"chat":"-98"')]);
});

test("a bot on the list is heard, and a group where mentions are not needed hears all", async () => {
  const agent = createListener();
  const account = { groups: { policy: "open", requireMention: false } };
  const { says, hears } = await openWireTown({ ...agent, account, allowFrom: ["robot"] });
  expect(await says("robot", "beep", { ...GROVE, isBot: true })).toBe("stored");
  await hears("-99", "heard: beep");
  expect(await says("5", "boop", GROVE)).toBe("stored");
  await hears("-99", "heard: boop");
  expect(await says("other-robot", "beep", { ...GROVE, isBot: true })).toBe("refused");
});

test("two bots in one group share its session, and the one that is mentioned answers", async () => {
  const agent = createListener();
  const accounts = { second: GROUPS };
  const { grove, says, hears, sentTo } = await openWireTown({ ...agent, account: GROUPS, accounts });
  const both = async (id: string, text: string, addressed: "default" | "second") => [
    await says("5", text, { ...GROVE, id, addressed: addressed === "default" }),
    await says("5", text, { ...GROVE, id, addressed: addressed === "second", account: "second" }),
  ];
  expect(await both("a", "first, hello", "default")).toEqual(["stored", "refused"]);
  await hears("-99", "heard: first, hello");
  expect(await both("b", "second, hello", "second")).toEqual(["refused", "stored"]);
  await grove.rests();
  expect(await sentTo("-99")).toEqual(["heard: first, hello"]);
  expect(await sentTo("-99", "second")).toEqual(["heard: second, hello"]);
  expect(agent.record.of(KEY).at(-1)?.history).toHaveLength(2);
  expect(agent.record.attempts.map(({ spec }) => spec.sessionKey)).toEqual([KEY, KEY]);
});
