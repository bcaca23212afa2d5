import { describe, expect, it, test } from "vitest";
import { ada, BOT_ROLE, grove, me, read, room } from "./raw-message.ts";

const bot = `<@${me.botId}>`;
const inRoom = { place: room };

describe("a message in a channel is meant for the bot", () => {
  it.each<[what: string, part: object, addressed: boolean]>([
    ["that mentions it", { content: `hey ${bot} there` }, true],
    ["that mentions it the old way", { content: `<@!${me.botId}> there` }, true],
    ["that mentions its role", { content: `<@&${BOT_ROLE}> hi` }, true],
    ["that mentions another role", { content: "<@&1100000000000000778> hi" }, false],
    ["that mentions somebody else", { content: `<@${ada.id}> hi` }, false],
    ["that shows its mention as code", { content: `write \`${bot}\` to call it` }, false],
    ["that shows its mention in a block", { content: `so:\n\`\`\`\n${bot}\n\`\`\`` }, false],
    ["that mentions it beside code", { content: `\`x\` ${bot} \`y\`` }, true],
    ["that calls everybody", { content: "@everyone hi", mention_everyone: true }, false],
    ["that answers it", { type: 19, content: "yes", referenced_message: answered(grove) }, true],
    ["that answers somebody else", { type: 19, content: "yes", referenced_message: answered(ada) }, false],
    [
      "that forwards its message",
      {
        content: "",
        message_reference: { type: 1, message_id: "1" },
        message_snapshots: [{ message: { content: `${bot} hi` } }],
      },
      false,
    ],
  ])("%s: %j", (_what, part, addressed) => {
    expect(read(part, inRoom)).toMatchObject({ addressed });
  });

  test("but in a DM nobody asks", () => {
    expect(read({ content: `${bot} hi` })).not.toHaveProperty("addressed");
  });

  function answered(author: object): object {
    return { id: "1439300000000000000", channel_id: room.channelId, content: "well?", author, type: 0 };
  }
});

describe("the words that only call the bot are no words of the message", () => {
  it.each([
    [`${bot} what is new?`, "what is new?"],
    [`${bot}, what is new?`, "what is new?"],
    [`${bot}: /new`, "/new"],
    [`<@&${BOT_ROLE}>\nwhat is new?`, "what is new?"],
    [`${bot}`, "@grove"],
    [`what is new, ${bot}?`, "what is new, @grove?"],
    [`<@${ada.id}> and ${bot}`, "@Ada and @grove"],
  ])("%j is %j", (content, text) => {
    expect(read({ content, mentions: [ada, grove] }, inRoom)).toMatchObject({ text });
  });
});
