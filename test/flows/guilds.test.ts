import { expect, test } from "vitest";
import { createListener } from "../stage/scripted-agent.ts";
import { openWireTown } from "../stage/wire-town.ts";

const HALL = { kind: "group", chat: "hall", addressed: true, guild: "900" } as const;

test("a server on the list opens all its chats, and the log names both lines for those of another", async () => {
  const account = { groups: { guilds: ["900"] } };
  const { grove, says, hears } = await openWireTown({ ...createListener(), account });
  expect(await says("5", "bot, hello", HALL)).toBe("stored");
  await hears("hall", "heard: bot, hello");
  expect(await says("5", "bot, hello", { ...HALL, chat: "attic" })).toBe("stored");
  await hears("attic", "heard: bot, hello");
  expect(await says("5", "lunch?", { ...HALL, addressed: false })).toBe("refused");
  expect(await says("5", "bot, hello", { ...HALL, chat: "cellar", guild: "901" })).toBe("refused");
  expect(await says("5", "bot, hello", { ...HALL, chat: "cellar", guild: "901" })).toBe("refused");
  await grove.rests();
  const hints = grove.log.filter((line) => line.includes("groups.guilds"));
  expect(hints).toEqual([expect.stringMatching(/"chat":"cellar","guild":"901".*groups\.allow/)]);
  const entry = await grove.read((read) => read.session("agent:main:wire:group:hall"));
  expect(JSON.parse(entry?.body ?? "{}")).toMatchObject({ groupId: "hall", space: "900" });
});

test("who has a role in a server talks with the agent of that role, and others there with the server's", async () => {
  const agent = createListener();
  const agents = { main: { default: true }, ops: {}, mods: {} };
  const runtime = { runtime: "scripted" };
  const config = {
    agents: Object.fromEntries(Object.entries(agents).map(([id, rest]) => [id, { ...runtime, ...rest }])),
    routes: [
      { agent: "ops", match: { channel: "wire", guild: "900" } },
      { agent: "mods", match: { channel: "wire", guild: "900", roles: ["7", "8"] } },
    ],
  };
  const account = { groups: { policy: "open" } };
  const { grove, says, hears } = await openWireTown({ ...agent, config, account });
  expect(await says("5", "bot, one", { ...HALL, roles: ["1", "8"] })).toBe("stored");
  await hears("hall", "heard: bot, one");
  expect(await says("6", "bot, two", { ...HALL, roles: ["1"] })).toBe("stored");
  await hears("hall", "heard: bot, two");
  expect(await says("5", "bot, three", { ...HALL, guild: "901", roles: ["8"] })).toBe("stored");
  await hears("hall", "heard: bot, three");
  await grove.rests();
  expect(agent.record.attempts.map(({ spec }) => spec.sessionKey)).toEqual([
    "agent:mods:wire:group:hall",
    "agent:ops:wire:group:hall",
    "agent:main:wire:group:hall",
  ]);
});
