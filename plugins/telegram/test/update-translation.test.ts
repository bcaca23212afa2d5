import { formatAddress } from "@banyan/plugin-sdk";
import type { Message, Update } from "grammy/types";
import { describe, expect, it, test } from "vitest";
import { type IgnoredUpdate, translateUpdate } from "../src/update-translation.ts";

const target = { account: "default", botUsername: "grove_bot" };
const ada = { id: 7550356539, is_bot: false, first_name: "Ada" };
const privateChat = { id: ada.id, type: "private", first_name: "Ada" } as const;
const group = { id: -1001234567890, type: "supergroup", title: "Grove" } as const;
const base = { message_id: 7, date: 1_770_000_000, from: ada, chat: privateChat };

function message(part: Partial<Message & Update.NonChannel>): Update {
  return { update_id: 1, message: { ...base, text: "hello", ...part } };
}

describe("a private text message", () => {
  test("becomes a message of the peer", () => {
    expect(translateUpdate(message({}), target)).toEqual({
      id: "7",
      address: formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: "7550356539" }),
      sender: { id: "7550356539", displayName: "Ada" },
      text: "hello",
      at: 1_770_000_000_000,
    });
  });

  test("carries the whole name", () => {
    const translated = translateUpdate(message({ from: { ...ada, last_name: "Lovelace" } }), target);
    expect(translated).toMatchObject({ sender: { displayName: "Ada Lovelace" } });
  });

  test("in a private topic keeps the topic", () => {
    const translated = translateUpdate(message({ is_topic_message: true, message_thread_id: 42 }), target);
    expect(translated).toMatchObject({ address: "telegram/default/dm/7550356539/42" });
  });

  test("with a thread id but no topic stays in the chat", () => {
    const translated = translateUpdate(message({ message_thread_id: 42 }), target);
    expect(translated).toMatchObject({ address: "telegram/default/dm/7550356539" });
  });

  test("that was edited tells when", () => {
    const edited: Update = {
      update_id: 2,
      edited_message: { ...base, text: "hello again", edit_date: 1_770_000_060 },
    };
    expect(translateUpdate(edited, target)).toMatchObject({
      id: "7",
      text: "hello again",
      at: 1_770_000_000_000,
      editedAt: 1_770_000_060_000,
    });
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
    expect(translateUpdate(message({ text }), target)).toMatchObject({ text: expected });
  });
});

const IGNORED: readonly (readonly [what: string, update: Update, why: IgnoredUpdate])[] = [
  ["an unknown kind of update", { update_id: 3 }, "unknown_kind"],
  [
    "a channel post",
    { update_id: 3, channel_post: { ...base, chat: { id: -1, type: "channel", title: "News" } } },
    "unknown_kind",
  ],
  ["a group message", message({ chat: group }), "group"],
  ["a bot's message", message({ from: { ...ada, is_bot: true } }), "from_bot"],
];

test("what is written under a photo is its text", () => {
  const photo = { file_id: "a", file_unique_id: "b", width: 1, height: 1 };
  const update: Update = { update_id: 3, message: { ...base, photo: [photo], caption: "look" } };
  expect(translateUpdate(update, target)).toMatchObject({ id: String(base.message_id), text: "look" });
});

describe("not translated", () => {
  it.each(IGNORED)("is %s", (_, update, why) => {
    expect(translateUpdate(update, target)).toBe(why);
  });

  test("is a service message", () => {
    expect(translateUpdate({ update_id: 3, message: { ...base, delete_chat_photo: true } }, target)).toBe("no_text");
  });
});
