import type { ChannelCommand } from "@banyan/plugin-sdk";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseInteraction } from "../../src/inbound/parse-interaction.ts";
import { translateInteraction } from "../../src/inbound/translate-interaction.ts";
import { readSnowflakeTime } from "../../src/snowflake.ts";
import { ada, me, room, thread } from "./raw-message.ts";

const id = "1439400000000000005";
const guild_id = "1300000000000000001";
const text = { kind: "text", summary: "…", isRequired: false } as const;
const commands: readonly ChannelCommand[] = [
  {
    name: "subagents",
    summary: "…",
    isDmOnly: false,
    parameters: [
      { ...text, name: "action" },
      { ...text, name: "target", kind: "target" },
      { ...text, name: "rest" },
    ],
  },
];

function translate(part: object): unknown {
  const raw = {
    id,
    application_id: me.applicationId,
    token: "aW50ZXJhY3Rpb24",
    version: 1,
    guild_id,
    channel_id: room.channelId,
    channel: { id: room.channelId, type: 0, name: "garden" },
    member: { user: ada, nick: "Countess", roles: ["1500000000000000001"], permissions: "0" },
    context: 0,
    entitlements: [],
    ...part,
  };
  const interaction = parseInteraction(JSON.parse(JSON.stringify(raw)));
  return interaction === undefined ? "unreadable" : translateInteraction(interaction, { me, commands });
}

function command(name: string, options: readonly object[] = [], part: object = {}): unknown {
  return translate({ type: 2, data: { id: "1", name, type: 1, options }, ...part });
}

describe("a slash command", () => {
  test("is a line as people type it, with the interaction's id", () => {
    expect(command("kill", [{ name: "target", type: 3, value: "nap" }])).toEqual({
      kind: "command",
      name: "kill",
      message: {
        id,
        address: "discord/default/channel/1200000000000000002",
        guild: guild_id,
        addressed: true,
        sender: { id: ada.id, displayName: "Countess", roles: ["1500000000000000001"] },
        text: "/kill nap",
        at: readSnowflakeTime(id),
      },
    });
  });

  test("has its values in the order of its parameters", () => {
    const options = [
      { name: "rest", type: 3, value: "faster please" },
      { name: "target", type: 3, value: "2" },
      { name: "action", type: 3, value: "steer" },
    ];
    expect(command("subagents", options)).toMatchObject({ message: { text: "/subagents steer 2 faster please" } });
  });

  test("has a value with blanks in quotes where another one stands behind it", () => {
    const options = [
      { name: "action", type: 3, value: "steer" },
      { name: "target", type: 3, value: "words 1/3" },
      { name: "rest", type: 3, value: "faster please" },
    ];
    const steer = { message: { text: '/subagents steer "words 1/3" faster please' } };
    expect(command("subagents", options)).toMatchObject(steer);
    const kill = [{ name: "target", type: 3, value: "words 1/3" }];
    expect(command("kill", kill)).toMatchObject({ message: { text: "/kill words 1/3" } });
  });

  test("in a DM comes from the user there", () => {
    const inDm = { guild_id: undefined, member: undefined, user: ada, context: 1 };
    const channel = { channel_id: "1200000000000000001", channel: { id: "1200000000000000001", type: 1 } };
    const translated = command("status", [], { ...inDm, ...channel });
    expect(translated).toMatchObject({
      message: {
        address: "discord/default/dm/1200000000000000001",
        sender: { id: ada.id, displayName: "Ada" },
        text: "/status",
      },
    });
    expect(translated).not.toHaveProperty("message.addressed");
    expect(translated).not.toHaveProperty("message.guild");
  });

  it.each([10, 11, 12])("in a thread of type %i is in a thread of its channel", (type) => {
    const channel = { id: thread.channelId, type, parent_id: room.channelId };
    expect(command("unfocus", [], { channel_id: thread.channelId, channel })).toMatchObject({
      message: { address: "discord/default/channel/1200000000000000002/1200000000000000003" },
    });
  });

  test("/ask is the question itself, and meant for the bot", () => {
    expect(command("ask", [{ name: "question", type: 3, value: "what is new?" }])).toMatchObject({
      kind: "command",
      name: "ask",
      message: { text: "what is new?", addressed: true },
    });
  });

  test("/ask without a question is nothing", () => {
    expect(command("ask")).toEqual({ kind: "ignored", why: "empty" });
  });
});

test("an autocompletion tells what is typed where", () => {
  const options = [
    { name: "action", type: 3, value: "kill" },
    { name: "target", type: 3, value: "na", focused: true },
  ];
  expect(translate({ type: 4, data: { name: "subagents", type: 1, options } })).toMatchObject({
    kind: "autocomplete",
    command: "subagents",
    parameter: "target",
    typed: "na",
    source: { address: "discord/default/channel/1200000000000000002", guild: guild_id, sender: { id: ada.id } },
  });
});

test("a press of a button tells which, where and by whom", () => {
  const data = { custom_id: "b1.retry", component_type: 2 };
  expect(translate({ type: 3, data, message: { id: "1439300000000000000", content: "…" } })).toMatchObject({
    kind: "button",
    customId: "b1.retry",
    source: { address: "discord/default/channel/1200000000000000002", guild: guild_id, sender: { id: ada.id } },
  });
});

test("a ping is a ping, whoever sends it", () => {
  expect(translate({ type: 1, member: undefined, channel: undefined })).toEqual({ kind: "ping" });
});

describe("what is nothing for anybody", () => {
  it.each<[what: string, part: object, why: string]>([
    ["another application's", { application_id: "1100000000000000009" }, "not_ours"],
    ["a menu entry", { data: { name: "Report", type: 3 } }, "unknown_kind"],
    ["a form", { type: 5, data: { custom_id: "x" } }, "unknown_kind"],
    ["a choice of a menu", { type: 3, data: { custom_id: "x", component_type: 3 }, message: { id } }, "unknown_kind"],
    ["a button on no message", { type: 3, data: { custom_id: "x", component_type: 2 } }, "unknown_kind"],
    ["a place where the bot is not", { context: 2 }, "unknown_place"],
    ["a thread of no channel", { channel: { id: thread.channelId, type: 11 } }, "unknown_place"],
    ["of nobody", { member: undefined }, "no_user"],
    ["D59: a kind of tomorrow", { type: 99 }, "unknown_kind"],
  ])("%s", (_what, part, why) => {
    expect(command("status", [], part)).toEqual({ kind: "ignored", why });
  });
});

describe("D59: an interaction that is not as the documentation says", () => {
  test.each([undefined, null, 7, [], {}, { id, type: "2" }])("%j is none", (payload) => {
    expect(parseInteraction(payload)).toBeUndefined();
  });

  test("never throws, for any value of any field", () => {
    const field = fc.constantFrom("type", "data", "channel", "channel_id", "guild_id", "member", "user", "message");
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.dictionary(field, fc.jsonValue()), (type, part) => {
        expect(translate({ type, ...part })).toBeDefined();
      }),
    );
  });
});
