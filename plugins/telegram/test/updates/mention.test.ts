import type { Message, MessageEntity } from "grammy/types";
import { describe, expect, it } from "vitest";
import { isAddressed, isForAnotherBot, measureCall, readMarkedText } from "../../src/updates/mention.ts";
import { buildRawMessage } from "./raw-update.ts";

const me = { account: "default", id: 7550001, username: "grove_bot", hasPrivateTopics: false };
const group = { id: -1001, type: "supergroup", title: "Grove" } as const;
const ada = { id: 42, is_bot: false, first_name: "Ada" };
const grove = { id: me.id, is_bot: true, first_name: "Grove" };
const silent = { message_id: 7, date: 1, from: ada, chat: group };

function write(text: string, ...entities: MessageEntity[]): Message {
  return { ...silent, text, entities };
}

/** A mention of `name` where it stands in the text. */
function mention(text: string, name: string): Message {
  return write(text, { type: "mention", offset: text.indexOf(name), length: name.length });
}

function command(text: string): Message {
  return write(text, { type: "bot_command", offset: 0, length: text.split(" ")[0]?.length ?? 0 });
}

const topicStart: Message = { ...silent, from: grove, forum_topic_created: { name: "x", icon_color: 1 } };

describe("a group's message is for the bot", () => {
  it.each<[what: string, message: object, expected: boolean]>([
    ["when it mentions it", mention("so @grove_bot, go", "@grove_bot"), true],
    ["when it mentions it in any case", mention("@Grove_BOT go", "@Grove_BOT"), true],
    ["T60: behind signs of two units", mention("👋🏽👋🏽 @grove_bot go", "@grove_bot"), true],
    ["not when it mentions another", mention("@grove_botany go", "@grove_botany"), false],
    ["not when the name only stands there", write("mail@grove_bot"), false],
    [
      "when it mentions it without a name",
      write("Grove, go", { type: "text_mention", offset: 0, length: 5, user: grove }),
      true,
    ],
    ["not for a mention of a person", write("Ada", { type: "text_mention", offset: 0, length: 3, user: ada }), false],
    ["when it is a command for it", command("/status@grove_bot now"), true],
    ["not when it is a bare command", command("/status now"), false],
    ["not when it is another bot's command", command("/status@other_bot"), false],
    ["when it answers it", { ...write("go"), reply_to_message: { ...write("?"), from: grove } }, true],
    ["not when it answers a person", { ...write("go"), reply_to_message: { ...write("?") } }, false],
    ["not when it stands in a topic that the bot made", { ...write("go"), reply_to_message: { ...topicStart } }, false],
    [
      "when the words under a photo mention it",
      { ...silent, caption: "@grove_bot", caption_entities: [{ type: "mention", offset: 0, length: 10 }] },
      true,
    ],
    [
      "not when what it forwards mentions it",
      { ...mention("@grove_bot go", "@grove_bot"), forward_origin: { type: "user", date: 1, sender_user: ada } },
      false,
    ],
  ])("%s", (_, message, expected) => {
    expect(isAddressed(buildRawMessage(message), me)).toBe(expected);
  });
});

describe("a command is another bot's", () => {
  it.each([
    ["/status@other_bot now", true],
    ["/status@grove_bot now", false],
    ["/status now", false],
  ])("%s: %s", (text, expected) => {
    expect(isForAnotherBot(command(text), me)).toBe(expected);
  });
});

describe("the call at the beginning", () => {
  it.each([
    ["@grove_bot how many?", "how many?"],
    ["@grove_bot, how many?", "how many?"],
    ["@Grove_bot:\nhow many?", "how many?"],
    ["how many, @grove_bot?", "how many, @grove_bot?"],
    ["@grove_bot", "@grove_bot"],
    ["@grove_bot @ada look", "@ada look"],
    ["@grove_bot - list", "- list"],
  ])("%j leaves %j", (text, expected) => {
    const name = /@grove_bot/i.exec(text)?.[0] ?? "";
    const marked = readMarkedText(mention(text, name));
    expect(marked && text.slice(measureCall(marked, me))).toBe(expected);
  });
});
