import { describe, expect, it } from "vitest";
import { translateUpdate } from "../../src/updates/update-translation.ts";
import { buildRawMessage } from "./raw-update.ts";

const me = { account: "default", id: 7550001, username: "grove_bot", hasPrivateTopics: false };
const group = { id: -1001, type: "supergroup", title: "Grove" } as const;
const news = { id: -1009, type: "channel", title: "News" } as const;
const ada = { id: 42, is_bot: false, first_name: "Ada" };
const bob = { id: 43, is_bot: false, first_name: "Bob", last_name: "Hay" };
const base = { message_id: 7, date: 1, from: ada, chat: group };
const answered = { message_id: 5, date: 1, from: bob, chat: group };
const file = { file_id: "f", file_unique_id: "u" };

describe("what a message refers to", () => {
  it.each<[what: string, part: object, quote: object | undefined]>([
    ["nothing", {}, undefined],
    [
      "is the message it answers",
      { reply_to_message: { ...answered, text: "how many?" } },
      { messageId: "5", senderId: "43", text: "how many?" },
    ],
    [
      "is the part that was picked",
      { reply_to_message: { ...answered, text: "how many?" }, quote: { text: "many", position: 4, is_manual: true } },
      { messageId: "5", senderId: "43", text: "many" },
    ],
    [
      "is a file by its name",
      { reply_to_message: { ...answered, document: { ...file, file_name: "plan.pdf" }, caption: "the plan" } },
      { messageId: "5", senderId: "43", text: "(plan.pdf)\nthe plan" },
    ],
    [
      "is a chat's message where nobody signed it",
      { reply_to_message: { ...answered, sender_chat: news, text: "new" } },
      { messageId: "5", senderId: "-1009", text: "new" },
    ],
    [
      "is not the beginning of a topic",
      { reply_to_message: { ...answered, forum_topic_created: { name: "x", icon_color: 1 } } },
      undefined,
    ],
    [
      "is another chat's message, as far as it is shown",
      {
        external_reply: { origin: { type: "user", date: 1, sender_user: bob }, message_id: 9 },
        quote: { text: "many", position: 0 },
      },
      { messageId: "9", senderId: "43", text: "Bob Hay wrote in another chat:\nmany" },
    ],
    [
      "is a message nobody shows",
      { external_reply: { origin: { type: "hidden_user", date: 1, sender_user_name: "Eve" } } },
      { text: "Eve wrote in another chat:\n(not shown to bots)" },
    ],
  ])("%s", (_, part, quote) => {
    const message = { ...buildRawMessage({ ...base, text: "so?", ...part }), from: ada, chat: group };
    const translated = translateUpdate({ update_id: 1, message }, me);
    expect(translated).toHaveProperty("message.text", "so?");
    expect(translated.kind === "message" && translated.message.quote).toEqual(quote);
  });
});

describe("a forwarded message is no word of its sender", () => {
  it.each<[what: string, part: object, quote: object]>([
    [
      "of a person",
      { text: "/new", forward_origin: { type: "user", date: 1, sender_user: bob } },
      { senderId: "43", text: "Bob Hay wrote:\n/new" },
    ],
    [
      "of a person who hides",
      { text: "hush", forward_origin: { type: "hidden_user", date: 1, sender_user_name: "Eve" } },
      { text: "Eve wrote:\nhush" },
    ],
    [
      "of a group",
      { text: "vote", forward_origin: { type: "chat", date: 1, sender_chat: group } },
      { senderId: "-1001", text: "Grove wrote:\nvote" },
    ],
    [
      "of a channel",
      {
        photo: [{ ...file, width: 1, height: 1 }],
        forward_origin: { type: "channel", date: 1, chat: news, message_id: 3 },
      },
      { messageId: "3", senderId: "-1009", text: "News wrote:\n(photo.jpg)" },
    ],
  ])("%s", (_, part, quote) => {
    const message = { ...buildRawMessage({ ...base, ...part }), from: ada, chat: group };
    expect(translateUpdate({ update_id: 1, message }, me)).toMatchObject({
      message: { sender: { id: "42" }, text: "(forwarded message)", quote },
    });
  });
});
