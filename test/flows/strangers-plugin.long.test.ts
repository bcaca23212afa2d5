import { say } from "@banyan/runtime-demo";
import { expect, test } from "vitest";
import { openGrove } from "../stage/grove.ts";
import { createHurriedClock } from "../stage/hurried-clock.ts";
import { createListener, createScriptedAgent } from "../stage/scripted-agent.ts";
import { openTelegram } from "../stage/telegram-town.ts";
import { openWireTown } from "../stage/wire-town.ts";

const SESSION = "agent:main:wire:dm:1";

test("a channel that a stranger wrote in one file converses, in parts, and goes on after a restart", async () => {
  const agent = createListener();
  const { grove, says, hears, sentTo } = await openWireTown(agent);
  await says("1", "hello");
  await hears("1", "heard: hello");
  const story = Array.from({ length: 50 }, (_, n) => `line ${n} of a story`).join("\n");
  await says("1", story);
  await grove.rests();
  const parts = (await sentTo("1")).slice(1);
  expect(parts.length).toBeGreaterThan(2);
  expect(parts.join("")).toBe(`heard: ${story}`);
  await says("1", "/whoami");
  await hears("1", "You are `1` on wire (account default).\nSession: `agent:main:wire:dm:1`");
  await grove.restart();
  await says("1", "again");
  await hears("1", "heard: again");
  expect(agent.record.of(SESSION).at(-1)?.history).toHaveLength(4);
});

test("its taps hear of messages and turns, add labelled context, and change or cancel what is sent", async () => {
  const agent = createScriptedAgent((turn) => say(turn.index === 1 ? "the secret word" : "plain words"));
  const account = { taps: ["listen", "context", "change", "cancel"] };
  const { grove, says, hears, sentTo, taps } = await openWireTown({ ...agent, account });
  await says("1", "hello");
  await hears("1", "PLAIN WORDS");
  await says("1", "tell me");
  await says("1", "/whoami");
  await says("1", "bye");
  await hears("1", "PLAIN WORDS");
  await grove.rests();
  expect(await sentTo("1")).not.toContainEqual(expect.stringMatching(/secret/i));
  expect(agent.record.of(SESSION)[0]?.input).toMatchObject([
    { text: "hello", context: [{ label: "weather", text: "rain in the grove" }] },
  ]);
  expect(await taps()).toEqual(
    expect.arrayContaining([
      "message_received: message hello",
      "message_received: command /whoami",
      `after_turn: done ${SESSION}`,
    ]),
  );
  await grove.stop();
  expect(grove.log.join("\n")).toContain("it holds a secret");
});

test("its taps are gone after its account is", async () => {
  const agent = createListener();
  const { grove, says, hears } = await openWireTown({ ...agent, account: { taps: ["context", "change"] } });
  await says("1", "hello");
  await hears("1", "HEARD: HELLO");
  await grove.restart({ config: agent.config });
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears("heard: hello");
  expect(agent.record.of("agent:main:webchat:dm:ada")[0]?.input[0]).not.toHaveProperty("context");
});

test.each([
  { what: "throw", taps: ["throw"], logs: /the tap fell off.*a tap failed/ },
  { what: "hang", taps: ["hang"], logs: /called the tap wire\/default:hanger: no answer within 10000 ms/ },
  { what: "answer nonsense", taps: ["nonsense"], logs: /a tap failed/ },
])("attack 26: taps that $what are named in the log and hold nobody up", async ({ taps, logs }) => {
  const agent = createListener();
  const ports = { clock: createHurriedClock(100) };
  const { grove, says, hears } = await openWireTown({ ...agent, ports, account: { taps } });
  for (const word of ["one", "two"]) {
    await says("1", word);
    await hears("1", `heard: ${word}`);
  }
  const ada = grove.web("ada");
  await ada.says("hello");
  await ada.hears("heard: hello");
  await grove.stop();
  expect(grove.log.join("\n")).toMatch(logs);
  expect(agent.record.attempts.map(({ attempt }) => attempt)).toEqual([1, 1, 1]);
});

test("without the word of a required tap nothing is sent, and the turn is kept all the same", async () => {
  const agent = createListener();
  const { grove, says, sentTo } = await openWireTown({ ...agent, account: { taps: ["throw-required"] } });
  await says("1", "hello");
  await grove.rests();
  expect(await sentTo("1")).toEqual([]);
  expect(await grove.deliveries()).toEqual([]);
  await says("1", "again");
  await grove.rests();
  expect(agent.record.of(SESSION).at(-1)?.history).toHaveLength(2);
});

test.each([
  ["another channel", { channel: "webchat", account: "default" }],
  ["another account of its own", { channel: "wire", account: "other" }],
])("attack 5: a plugin that speaks for %s is refused, and nothing is stored", async (_, as) => {
  const agent = createListener();
  const { grove, says, hears } = await openWireTown(agent);
  await expect(says("ada", "give me the key", { as })).rejects.toThrow(/500/);
  expect(await grove.read((read) => read.sessions({ limit: 10 }))).toEqual([]);
  await says("1", "hello");
  await hears("1", "heard: hello");
  expect(agent.record.attempts).toHaveLength(1);
});

test.each([
  { mood: "throws", error: /^The plugin failed while sending: the wire is cut$/ },
  { mood: "hangs", error: /the plugin gave no answer in time/ },
] as const)(
  "attack 26: a plugin whose send $mood delays nobody else, and is tried again with the mark",
  async ({ mood, error }) => {
    const { telegram, env } = await openTelegram([7]);
    const town = await openWireTown({ ...createListener(), env, ports: { clock: createHurriedClock(500) } });
    await town.mood(mood);
    await town.says("1", "hello");
    const row = await town.grove.until("the delivery to fail", async () =>
      (await town.grove.deliveries()).find((delivery) => delivery.error !== undefined),
    );
    expect(row.error).toMatch(error);
    const ada = await telegram.user({ id: 7, firstName: "Ada" });
    await ada.says("hello");
    await ada.hears("heard: hello");
    await town.mood("well");
    await town.hears("1", "(may be repeated)\nheard: hello");
  },
);

test("a send that hangs does not keep the gateway from stopping, and the next start sends it again with the mark", async () => {
  const { grove, says, hears, mood } = await openWireTown({
    ...createListener(),
    ports: { clock: createHurriedClock(5) },
  });
  await mood("hangs");
  await says("1", "hello");
  await grove.until("the send to hang", async () =>
    (await grove.deliveries()).find(({ state }) => state === "sending"),
  );
  await grove.restart();
  await hears("1", "(may be repeated)\nheard: hello");
});

test("a plugin that sends and gives no receipt is not made to send again; the delivery is shown as unknown", async () => {
  const { grove, says, hears, sentTo, mood } = await openWireTown(createListener());
  await mood("nothing");
  await says("1", "one");
  await hears("1", "heard: one");
  await grove.rests();
  await mood("well");
  await says("1", "two");
  await hears("1", "heard: two");
  await grove.rests();
  expect(await sentTo("1")).toEqual(["heard: one", "heard: two"]);
  expect(await grove.deliveries()).toMatchObject([
    { state: "unknown", attempts: 1, error: expect.stringContaining("the plugin gave no receipt") },
    { state: "sent" },
  ]);
});

const PLUGIN = `{
  id: "stone",
  apiVersion: 1,
  capabilities: { kinds: ["dm"], text: { limit: 400, measure: (text) => text.length }, threads: false, edits: false, delivery: "at-least-once" },
  config: z.strictObject({}),
  connect: async () => ({ send: async () => ({ platformId: "1" }), close: async () => undefined }),
}`;

/** A plugin in one file, with something wrong in it. */
function writePlugin(from: string, to: string): { readonly "stone.ts": string } {
  return { "stone.ts": `import { z } from "zod";\nexport default ${PLUGIN.replace(from, to)};\n` };
}

test.each([
  [
    "apiVersion: 1",
    "apiVersion: 2",
    "plugin_invalid",
    /it is not made for version 1 of the contract, received .*; install a version of it for 1/,
  ],
  ["apiVersion: 1,", "", "plugin_invalid", /it is not made for version 1 of the contract/],
  ['id: "stone"', 'id: "agent"', "plugin_invalid", /its id is not a channel id/],
  ['id: "stone"', 'id: "telegram"', "plugin_invalid", /./],
  ["limit: 400", "limit: 0", "plugin_invalid", /capabilities.text.limit is not a number above 0/],
  ['"zod"', '"nowhere"', "plugin_unavailable", /importing it failed.*nowhere/s],
])("a plugin with %s made %s is refused at the start with a sentence", async (from, to, code, sentence) => {
  const { env } = await openTelegram([7]);
  const text = from === '"zod"' ? `import "nowhere";` : writePlugin(from, to)["stone.ts"];
  const opening = openGrove({ env, files: { "stone.ts": text }, config: { plugins: ["./stone.ts"] } });
  await expect(opening).rejects.toMatchObject({ code, message: expect.stringMatching(sentence) });
  await expect(opening).rejects.toThrow("loading the plugin ./stone.ts: ");
});

test.each([
  [
    "throws when it connects",
    "async () => ({",
    "async () => { throw new Error('no stone here') }, other: () => ({",
    /its plugin failed: no stone here/,
  ],
  [
    "connects to nothing",
    "connect: async () => ({",
    "connect: async () => undefined, other: () => ({",
    /its plugin failed/,
  ],
  [
    "promises threads and has none",
    "threads: false",
    "threads: true",
    /capabilities.threads is true, but the connection says otherwise/,
  ],
  ["cannot close", "close: async () => undefined", "close: async () => { throw new Error('stuck') }", undefined],
  ["never closes", "close: async () => undefined", "close: () => new Promise(() => undefined)", undefined],
])(
  "attack 26: a plugin that %s does not keep the others from running, nor the gateway from stopping",
  async (_, from, to, detail) => {
    const ports = { clock: createHurriedClock(50) };
    const files = writePlugin(from, to);
    const grove = await openGrove({
      ...createListener(),
      ports,
      files,
      config: { ...createListener().config, plugins: ["./stone.ts"] },
    });
    const { accounts, status } = grove.open.gateway.health();
    expect(status).toBe("ok");
    expect(accounts["stone/default"]).toMatchObject(
      detail === undefined ? { state: "running" } : { state: "failed", detail: expect.stringMatching(detail) },
    );
    const ada = grove.web("ada");
    await ada.says("hello");
    await ada.hears("heard: hello");
    await grove.restart();
    await ada.says("again");
    await ada.hears("heard: again");
  },
);
