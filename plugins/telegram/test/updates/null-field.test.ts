import type { Update } from "grammy/types";
import { expect, test } from "vitest";
import { parseWireJson } from "../../src/bot-client.ts";
import { type TranslatedUpdate, translateUpdate } from "../../src/updates/update-translation.ts";

const ME = { id: 1001, account: "default", username: "grove_bot", hasPrivateTopics: false };

function readWire(update: object): TranslatedUpdate {
  const isUpdate = (body: unknown): body is Update => typeof body === "object" && body !== null && "update_id" in body;
  const parsed = parseWireJson(JSON.stringify(update));
  if (!isUpdate(parsed)) throw new Error("no update");
  return translateUpdate(parsed, ME);
}

const FROM = { id: 42, is_bot: false, first_name: "Ada", last_name: null, username: null, language_code: null };
const CHAT = { id: 42, type: "private", title: null, username: null, first_name: "Ada", is_forum: null };

test("null is what is not there, wherever a server of others sends it", () => {
  const absent = { reply_to_message: null, forward_origin: null, media_group_id: null, sender_chat: null, quote: null };
  const words = { text: "one", entities: null, photo: null };
  const message = { message_id: 1, date: 1, chat: CHAT, from: FROM, ...words, ...absent };
  const others = { edited_message: null, channel_post: null, callback_query: null };
  expect(readWire({ update_id: 1, message, ...others })).toMatchObject({
    kind: "message",
    message: { id: "1", text: "one", sender: { id: "42", displayName: "Ada" } },
  });
  const bare = { message_id: 1, date: 1, chat: { id: 42, type: "private" }, from: { id: 42, first_name: "Ada" } };
  expect(readWire({ update_id: 1, message })).toEqual(readWire({ update_id: 1, message: { ...bare, text: "one" } }));
});

test("a press of a button below a message that is null is none", () => {
  const query = { id: "7", from: FROM, message: null, inline_message_id: null, chat_instance: "1", data: "b1" };
  expect(readWire({ update_id: 1, message: null, callback_query: query })).toEqual({
    kind: "ignored",
    why: "unknown_kind",
  });
});

test("an entity whose person or address is null is plain text", () => {
  const text = "@Ada see here";
  const entities = [
    { type: "text_mention", offset: 0, length: 4, user: null },
    { type: "text_link", offset: 9, length: 4, url: null },
    { type: "pre", offset: 5, length: 3, language: null },
  ];
  const message = { message_id: 1, date: 1, chat: { id: -7, type: "group", title: null }, from: FROM, text, entities };
  expect(readWire({ update_id: 1, message })).toMatchObject({
    message: { text: "@Ada \n```\nsee\n```\n here", addressed: false },
  });
});
