import type { ChatMessage } from "@banyan/emulator-discord";
import { expect, test } from "vitest";
import { describeMessage } from "../../src/dev/discord-message.ts";

const ADA = "100000000000000001";
const GENERAL = "300000000000000001";
const THREAD = "300000000000000002";
const NAMES = { people: new Map([[ADA, "Ada"]]), channels: new Map([[GENERAL, "general"]]) };

/** A message as the emulator keeps it. */
function buildMessage(change: object, kept: Partial<ChatMessage> = {}): ChatMessage {
  const author = { id: ADA, username: "ada", discriminator: "0", avatar: null, global_name: "Ada" };
  const message: ChatMessage["message"] = {
    id: "9",
    channel_id: GENERAL,
    author,
    content: "",
    timestamp: "2026-01-01T00:00:00.000Z",
    edited_timestamp: null,
    tts: false,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    embeds: [],
    pinned: false,
    type: 0,
    ...change,
  };
  const versions = [{ text: message.content, atMs: 1, message }];
  return { messageId: "9", authorId: ADA, isBot: false, text: "", message, versions, isDeleted: false, ...kept };
}

test.each([
  ["what was deleted", buildMessage({ content: "gone" }, { isDeleted: true })],
  ["what Discord says itself", buildMessage({ content: "a thread", type: 18 })],
])("%s is not shown", (_what, message) => {
  expect(describeMessage(message, NAMES)).toBeUndefined();
});

test("ids in a text are shown as names, where they are known", () => {
  const content = `<@${ADA}>, <@!${ADA}>: look at <#${GENERAL}>, not at <#1> with <@2>`;
  const text = "@Ada, @Ada: look at #general, not at <#1> with <@2>";
  expect(describeMessage(buildMessage({ content }), NAMES)).toMatchObject({
    author: "Ada",
    text,
    isEdited: false,
    at: 1,
  });
});

test("a card has its title, words, fields and colour", () => {
  const fields = [{ name: "time", value: "4.1 s" }];
  const embeds = [{ title: "✅ nap", description: "done", fields, color: 0x00a55d }];
  const cards = [{ title: "✅ nap", text: "done\ntime: 4.1 s", color: "#00a55d" }];
  expect(describeMessage(buildMessage({ embeds }), NAMES)?.cards).toEqual(cards);
});

test("a button tells the bot, or leads to a chat; one that leads out of Discord is left out", () => {
  const components = [
    {
      type: 1,
      components: [
        { type: 2, style: 5, label: "Open thread", url: `http://127.0.0.1:3001/channels/1/${THREAD}` },
        { type: 2, style: 5, label: "Elsewhere", url: "https://example.com/" },
        { type: 2, style: 4, label: "Stop", custom_id: "b1.k" },
      ],
    },
  ];
  expect(describeMessage(buildMessage({ components }), NAMES)?.buttons).toEqual([
    { label: "Open thread", chat: THREAD },
    { label: "Stop", id: "b1.k" },
  ]);
});
