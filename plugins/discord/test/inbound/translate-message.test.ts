import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseMessage } from "../../src/inbound/parse-message.ts";
import { translateMessage } from "../../src/inbound/translate-message.ts";
import { readSnowflakeTime } from "../../src/snowflake.ts";
import { ada, BOT_ROLE, buildRawMessage, dm, grove, MESSAGE_ID, me, read, room, thread } from "./raw-message.ts";

describe("a direct message", () => {
  test("becomes a message of the peer", () => {
    expect(read({})).toEqual({
      id: MESSAGE_ID,
      address: "discord/default/dm/1200000000000000001",
      sender: { id: ada.id, displayName: "Ada" },
      text: "hello",
      at: readSnowflakeTime(MESSAGE_ID),
    });
  });

  test("was written when its id was made", () => {
    expect(new Date(readSnowflakeTime("175928847299117063")).toISOString()).toBe("2016-04-30T11:18:25.796Z");
  });

  test("of somebody without a global name has the account's", () => {
    expect(read({ author: { ...ada, global_name: null } })).toMatchObject({ sender: { displayName: "ada" } });
  });
});

describe("a message in a server", () => {
  const member = { nick: "Countess", roles: ["1500000000000000001", BOT_ROLE], joined_at: "2025-01-01T00:00:00Z" };

  test("tells server, channel, nickname and roles", () => {
    expect(read({ guild_id: "1300000000000000001", member }, { place: room })).toEqual({
      id: MESSAGE_ID,
      address: "discord/default/channel/1200000000000000002",
      guild: "1300000000000000001",
      addressed: false,
      sender: { id: ada.id, displayName: "Countess", roles: ["1500000000000000001", BOT_ROLE] },
      text: "hello",
      at: readSnowflakeTime(MESSAGE_ID),
    });
  });

  test("in a thread is in a thread of its channel", () => {
    expect(read({}, { place: thread })).toMatchObject({
      address: "discord/default/channel/1200000000000000002/1200000000000000003",
      guild: "1300000000000000001",
    });
  });

  test("D50: that REST tells has no roles", () => {
    expect(read({}, { place: room })).not.toHaveProperty("sender.roles");
  });
});

describe("what is nothing for anybody", () => {
  it.each<[row: string, what: string, part: object, why: string]>([
    ["D43", "a message whose content Discord kept back", { content: "" }, "no_content"],
    ["D53", "the bot's own message", { author: grove }, "own_message"],
    ["D53", "a message of the bot's own webhook", ownWebhook(), "own_message"],
    ["D54", "somebody joined", { type: 7, content: "" }, "system_message"],
    ["D54", "a thread was made", { type: 18, content: "plan" }, "system_message"],
    ["D54", "a thread's first message once more", { type: 21, content: "" }, "system_message"],
    ["D59", "a kind of tomorrow", { type: 999 }, "system_message"],
    ["D59", "a message of nobody", { author: null }, "no_author"],
  ])("%s: %s", (_row, _what, part, why) => {
    expect(read(part, { place: room })).toBe(why);
  });

  function ownWebhook(): object {
    return {
      author: { id: "1600000000000000001", username: "Echo", bot: true },
      webhook_id: "1600000000000000001",
      application_id: me.applicationId,
    };
  }
});

describe("what is a message", () => {
  it.each([0, 19, 20, 23])("D54: type %i is spoken", (type) => {
    expect(read({ type })).toMatchObject({ text: "hello" });
  });

  test("D53: another bot's message says so; whether it counts is the core's to say", () => {
    const other = { id: "1600000000000000009", username: "other", bot: true };
    expect(read({ author: other })).toMatchObject({ sender: { id: other.id, isBot: true } });
  });

  test("D53: a webhook's message is a program's", () => {
    const hook = { id: "1600000000000000001", username: "Build" };
    expect(read({ author: hook, webhook_id: hook.id, application_id: null })).toMatchObject({
      sender: { id: hook.id, displayName: "Build", isBot: true },
    });
  });

  test("D43: a file without words is no missing content", () => {
    const attachments = [{ id: "1700000000000000001", filename: "plan.pdf", size: 9 }];
    expect(read({ content: "", attachments }, { place: room })).toMatchObject({ text: "" });
  });
});

describe("an edit", () => {
  const edited_timestamp = "2025-11-16T00:01:00.123000+00:00";

  test("D57: tells when", () => {
    expect(read({ content: "hello again", edited_timestamp }, { isUpdate: true })).toMatchObject({
      id: MESSAGE_ID,
      text: "hello again",
      editedAt: Date.parse("2025-11-16T00:01:00.123Z"),
    });
  });

  test("D57: a message that was edited before it was read is no edit of a known one", () => {
    expect(read({ edited_timestamp })).not.toHaveProperty("editedAt");
  });

  it.each<[what: string, part: object, why: string]>([
    ["a card for a link", { edited_timestamp: null }, "not_edited"],
    ["a time that is none", { edited_timestamp: "soon" }, "not_edited"],
    ["no content", { content: null, edited_timestamp }, "partial_update"],
    ["no author", { author: undefined, edited_timestamp }, "partial_update"],
    ["the bot's own edit", { author: grove, edited_timestamp }, "own_message"],
  ])("D57: %s is none", (_what, part, why) => {
    expect(read(part, { isUpdate: true })).toBe(why);
  });

  test("D57: an update of which only id and channel are sure is none", () => {
    const message = parseMessage({ id: MESSAGE_ID, channel_id: dm.channelId });
    expect(message && translateMessage(message, { me, place: dm, isUpdate: true })).toEqual({
      kind: "ignored",
      why: "partial_update",
    });
  });
});

describe("D59: a payload that is not as the documentation says", () => {
  it.each([undefined, null, 7, "text", [], {}, { id: 7, channel_id: "1" }, { id: "x", channel_id: "1" }])(
    "%j is no message",
    (payload) => {
      expect(parseMessage(payload)).toBeUndefined();
    },
  );

  test("loses only the parts that cannot be read", () => {
    const part = {
      mentions: [null, { id: 7 }, { id: ada.id, username: "ada" }],
      attachments: [{ id: "1700000000000000001", filename: 7, size: "9" }, "x"],
      embeds: "none",
      poll: [],
      member: "x",
      content: `hi <@${ada.id}>`,
    };
    expect(read(part)).toMatchObject({
      text: "hi @ada",
      attachments: [{ id: `1200000000000000001/${MESSAGE_ID}/1700000000000000001` }],
    });
  });

  test("never throws, for any value of any field", () => {
    const keys = [...Object.keys(buildRawMessage()), "webhook_id", "message_reference", "referenced_message"];
    const fields = fc.dictionary(fc.constantFrom(...keys, "message_snapshots", "sticker_items"), fc.jsonValue());
    fc.assert(
      fc.property(fields, fc.boolean(), (part, isUpdate) => {
        expect(read(part, { isUpdate, place: room })).toBeDefined();
      }),
    );
  });
});
