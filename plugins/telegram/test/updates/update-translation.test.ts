import { formatAddress } from "@banyan/plugin-sdk";
import type { Message, Update } from "grammy/types";
import { describe, expect, it, test } from "vitest";
import { type IgnoredUpdate, translateUpdate } from "../../src/updates/update-translation.ts";

const me = { account: "default", id: 7550001, username: "grove_bot", hasPrivateTopics: false };
const ada = { id: 7550356539, is_bot: false, first_name: "Ada" };
const grove = { id: me.id, is_bot: true, first_name: "Grove" };
const privateChat = { id: ada.id, type: "private", first_name: "Ada" } as const;
const basicGroup = { id: -123, type: "group", title: "Grove" } as const;
const group = { id: -1001234567890, type: "supergroup", title: "Grove" } as const;
const news = { id: -1009, type: "channel", title: "News" } as const;
const base = { message_id: 7, date: 1_770_000_000, from: ada, chat: privateChat };

function message(part: Partial<Message & Update.NonChannel>): Update {
  return { update_id: 1, message: { ...base, text: "hello", ...part } };
}

/** The message of an update, or what else it is. */
function read(update: Update): unknown {
  const translated = translateUpdate(update, me);
  return translated.kind === "message" ? translated.message : translated;
}

describe("a private text message", () => {
  test("becomes a message of the peer", () => {
    expect(read(message({}))).toEqual({
      id: "7",
      address: formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "7550356539" }),
      sender: { id: "7550356539", displayName: "Ada" },
      text: "hello",
      at: 1_770_000_000_000,
    });
  });

  test("carries the whole name", () => {
    expect(read(message({ from: { ...ada, last_name: "Lovelace" } }))).toMatchObject({
      sender: { displayName: "Ada Lovelace" },
    });
  });

  test("T52: that was edited tells when", () => {
    const edited: Update = {
      update_id: 2,
      edited_message: { ...base, text: "hello again", edit_date: 1_770_000_060 },
    };
    expect(read(edited)).toMatchObject({
      id: "7",
      text: "hello again",
      at: 1_770_000_000_000,
      editedAt: 1_770_000_060_002,
    });
  });

  test("T52: that was edited twice in a second is two edits", () => {
    const edited = { ...base, text: "hello again", edit_date: 1_770_000_060 };
    const [one, two] = [5_001, 5_002].map((update_id) => translateUpdate({ update_id, edited_message: edited }, me));
    expect(one).not.toEqual(two);
  });
});

describe("the address of a message", () => {
  const topic = { is_topic_message: true, message_thread_id: 42 } as const;
  it.each<[what: string, part: Partial<Message & Update.NonChannel>, address: string]>([
    ["in a private chat", {}, "telegram/default/dm/7550356539"],
    ["in a private topic", topic, "telegram/default/dm/7550356539/42"],
    ["T26: with a thread id but no topic", { message_thread_id: 42 }, "telegram/default/dm/7550356539"],
    ["in a basic group", { chat: basicGroup }, "telegram/default/group/-123"],
    ["in a supergroup", { chat: group }, "telegram/default/group/-1001234567890"],
    ["in a forum's topic", { chat: group, ...topic }, "telegram/default/group/-1001234567890/42"],
    ["in a forum's General topic", { chat: group }, "telegram/default/group/-1001234567890"],
    ["T26: in a reply thread", { chat: group, message_thread_id: 42 }, "telegram/default/group/-1001234567890"],
  ])("%s", (_, part, address) => {
    expect(read(message(part))).toMatchObject({ address });
  });

  test("of a channel's post is the channel's", () => {
    const { from: _, ...post } = base;
    const update: Update = { update_id: 3, channel_post: { ...post, text: "new", chat: news, sender_chat: news } };
    expect(read(update)).toEqual({
      id: "7",
      address: "telegram/default/channel/-1009",
      sender: { id: "-1009", displayName: "News" },
      text: "new",
      at: 1_770_000_000_000,
      addressed: false,
    });
    const edited: Update = {
      update_id: 4,
      edited_channel_post: { ...post, text: "newer", chat: news, edit_date: 1_770_000_060 },
    };
    expect(read(edited)).toMatchObject({ sender: { id: "-1009" }, text: "newer", editedAt: 1_770_000_060_004 });
  });
});

describe("T53, T54: the sender of a message", () => {
  const anonymous = { id: 1087968824, is_bot: true, first_name: "Group" };
  const channelBot = { id: 136817688, is_bot: true, first_name: "Channel" };
  it.each<[what: string, part: Partial<Message & Update.NonChannel>, sender: object]>([
    ["is its author", { chat: group }, { id: "7550356539", displayName: "Ada" }],
    [
      "is the group where an admin is anonymous",
      { chat: group, from: anonymous, sender_chat: group },
      { id: "-1001234567890", displayName: "Grove" },
    ],
    [
      "is the channel in whose name it is written",
      { chat: group, from: channelBot, sender_chat: news },
      { id: "-1009", displayName: "News" },
    ],
    [
      "is marked where it is a bot",
      { chat: group, from: { ...ada, is_bot: true } },
      { id: "7550356539", displayName: "Ada", isBot: true },
    ],
  ])("%s", (_, part, sender) => {
    expect(read(message(part))).toHaveProperty("sender", sender);
  });
});

describe("a command", () => {
  it.each([
    ["/spawn count words", "/spawn count words"],
    ["/spawn@grove_bot count words", "/spawn count words"],
    ["/spawn@Grove_Bot", "/spawn"],
    ["/spawn@grove_bot\ncount", "/spawn\ncount"],
    ["/spawn@other_bot count", "/spawn@other_bot count"],
    ["/spawn@grove_botany count", "/spawn@grove_botany count"],
    ["/spawn@grove_bot.", "/spawn@grove_bot."],
    ["see /spawn@grove_bot", "see /spawn@grove_bot"],
    ["/@grove_bot", "/@grove_bot"],
    ["/", "/"],
  ])("%j is read as %j", (text, expected) => {
    const entities = [{ type: "bot_command" as const, offset: 0, length: text.length }];
    expect(read(message({ text, entities }))).toMatchObject({ text: expected });
  });

  test("behind a mention of the bot is a command", () => {
    const entities = [
      { type: "mention" as const, offset: 0, length: 10 },
      { type: "bot_command" as const, offset: 11, length: 17 },
    ];
    const update = message({ chat: group, text: "@grove_bot /status@grove_bot", entities });
    expect(read(update)).toMatchObject({ text: "/status", addressed: true });
  });
});

describe("T12: a group that became a supergroup", () => {
  const move = { kind: "move", from: "telegram/default/group/-123", to: "telegram/default/group/-1001234567890" };
  const service = { message_id: 8, date: 1, from: ada };

  test("tells its new id in the old chat", () => {
    const update = { update_id: 1, message: { ...service, chat: basicGroup, migrate_to_chat_id: group.id } };
    expect(read(update)).toEqual(move);
  });

  test("tells its old id in the new chat", () => {
    const update = { update_id: 1, message: { ...service, chat: group, migrate_from_chat_id: basicGroup.id } };
    expect(read(update)).toEqual(move);
  });
});

describe("what is nothing for anybody", () => {
  const command = [{ type: "bot_command" as const, offset: 0, length: 17 }];
  const silent = { message_id: 7, date: 1, from: ada, chat: group };
  const live = { latitude: 52.5, longitude: 13.4, live_period: 900 };
  it.each<[what: string, update: Update, why: IgnoredUpdate]>([
    ["T58: an unknown kind of update", { update_id: 3 }, "unknown_kind"],
    ["a new title", { update_id: 3, message: { ...silent, new_chat_title: "x" } }, "service_message"],
    ["a removed photo", { update_id: 3, message: { ...silent, delete_chat_photo: true } }, "service_message"],
    ["a message of a kind to come", { update_id: 3, message: silent }, "service_message"],
    ["an ephemeral message, which nobody can answer by its id", message({ message_id: 0 }), "ephemeral"],
    ["an own message", message({ from: grove }), "own_message"],
    ["an own message that somebody chose inline", message({ via_bot: grove }), "own_message"],
    ["a repeated post of a linked channel", message({ chat: group, is_automatic_forward: true }), "linked_channel"],
    [
      "a command for another bot",
      message({ chat: group, text: "/status@other_bot", entities: command }),
      "for_another_bot",
    ],
    [
      "a step of a walk",
      { update_id: 3, edited_message: { ...silent, edit_date: 2, location: live } },
      "live_location",
    ],
  ])("%s", (_, update, why) => {
    expect(read(update)).toEqual({ kind: "ignored", why });
  });
});
