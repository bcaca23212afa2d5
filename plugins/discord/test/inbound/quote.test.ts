import { describe, expect, test } from "vitest";
import { ada, buildRawMessage, grove, read, room } from "./raw-message.ts";

const answeredId = "1439300000000000000";

function answer(referenced: object | null, part: object = {}): unknown {
  const message_reference = { type: 0, channel_id: room.channelId, message_id: answeredId };
  return read({ type: 19, content: "yes", message_reference, referenced_message: referenced, ...part });
}

describe("an answer quotes what it answers", () => {
  test("with its words and its author", () => {
    const referenced = buildRawMessage({
      id: answeredId,
      author: grove,
      content: `well, <@${ada.id}>?`,
      mentions: [ada],
    });
    expect(answer(referenced)).toMatchObject({
      text: "yes",
      quote: { messageId: answeredId, senderId: grove.id, text: "well, @Ada?" },
    });
  });

  test("with the names of its files", () => {
    const attachments = [{ id: "1700000000000000001", filename: "plan.pdf" }];
    const referenced = buildRawMessage({ id: answeredId, content: "look", attachments });
    expect(answer(referenced)).toMatchObject({ quote: { text: "(plan.pdf)\nlook" } });
  });

  test("with what it shows in words, but without the card of its link", () => {
    const sticker_items = [{ id: "1", name: "Wave", format_type: 1 }];
    expect(answer(buildRawMessage({ id: answeredId, content: "", sticker_items }))).toMatchObject({
      quote: { text: "(a sticker: Wave)" },
    });
    const embeds = [{ title: "A page" }];
    expect(answer(buildRawMessage({ id: answeredId, content: "see https://a.example", embeds }))).toMatchObject({
      quote: { text: "see https://a.example" },
    });
  });

  test("D43: without words where Discord kept them back", () => {
    expect(answer(buildRawMessage({ id: answeredId, content: "" }))).toMatchObject({
      quote: { messageId: answeredId, senderId: ada.id },
    });
    expect(answer(buildRawMessage({ id: answeredId, content: "" }))).not.toHaveProperty("quote.text");
  });

  test("by its id alone where it is deleted", () => {
    expect(answer(null)).toMatchObject({ quote: { messageId: answeredId } });
  });
});

describe("a forwarded message", () => {
  const message_reference = { type: 1, channel_id: "1200000000000000009", message_id: answeredId };

  test("is no word of the sender: it stands in the quote", () => {
    const message_snapshots = [{ message: { type: 0, content: "buy **now**", timestamp: "…", flags: 0 } }];
    expect(read({ content: "", message_reference, message_snapshots })).toMatchObject({
      text: "(forwarded message)",
      quote: { messageId: answeredId, text: "Written elsewhere:\nbuy **now**" },
    });
  });

  test("says what its sender says besides, should Discord ever allow it", () => {
    const message_snapshots = [{ message: { content: "buy **now**" } }];
    expect(read({ content: "really?", message_reference, message_snapshots })).toMatchObject({ text: "really?" });
  });

  test("D43: says so where Discord shows nothing of it", () => {
    expect(read({ content: "", message_reference })).toMatchObject({
      quote: { text: "Written elsewhere:\n(not shown to bots)" },
    });
  });
});

test("a message that answers nothing quotes nothing", () => {
  expect(read({})).not.toHaveProperty("quote");
});
