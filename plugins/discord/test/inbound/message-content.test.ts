import { describe, expect, it, test } from "vitest";
import { MESSAGE_ID, read } from "./raw-message.ts";

const file = { id: "1700000000000000001", filename: "plan.pdf", size: 9, url: "https://cdn.example/plan.pdf" };

describe("a file is a reference", () => {
  test("by which it can be asked for again, for its address ends after a day", () => {
    expect(read({ content: "look", attachments: [{ ...file, content_type: "application/pdf" }] })).toMatchObject({
      text: "look",
      attachments: [
        {
          id: `1200000000000000001/${MESSAGE_ID}/1700000000000000001`,
          name: "plan.pdf",
          mimeType: "application/pdf",
          sizeBytes: 9,
        },
      ],
    });
  });

  test("also without words, and several of them", () => {
    const attachments = [file, { ...file, id: "1700000000000000002", filename: "b.png" }];
    expect(read({ content: "", attachments })).toMatchObject({ text: "", attachments: [{}, { name: "b.png" }] });
  });

  test("also where it is only forwarded", () => {
    const message_snapshots = [{ message: { content: "", attachments: [file] } }];
    expect(read({ content: "", message_snapshots })).toMatchObject({
      attachments: [{ id: `1200000000000000001/${MESSAGE_ID}/1700000000000000001` }],
    });
  });
});

describe("what is no file is put into words", () => {
  const voice = { ...file, filename: "voice-message.ogg", duration_secs: 3.2, waveform: "AAA=" };
  it.each<[part: object, text: string]>([
    [{ sticker_items: [{ id: "1", name: "Wave", format_type: 1 }] }, "(a sticker: Wave)"],
    [{ flags: 1 << 13, attachments: [voice] }, "(a voice message of 3 s)"],
    [
      {
        poll: {
          question: { text: "Lunch?" },
          answers: ["yes", "no"].map((text, id) => ({ answer_id: id, poll_media: { text } })),
        },
      },
      "(a poll: Lunch?; yes; no)",
    ],
    [
      { embeds: [{ title: "Build", description: "failed", url: "https://ci.example/7" }] },
      "(a card: Build; failed; https://ci.example/7)",
    ],
    [{ embeds: [{ image: { url: "https://a.example/b.png" } }] }, "(a card)"],
    [{ components: [{ type: 17, components: [] }] }, "(a message of components, which cannot be read here yet)"],
  ])("%j", (part, text) => {
    expect(read({ content: "", ...part })).toMatchObject({ text });
  });

  it("and a long list is cut", () => {
    const answers = Array.from({ length: 30 }, (_, id) => ({ poll_media: { text: `answer ${id}` } }));
    expect(read({ content: "", poll: { question: { text: "All" }, answers } })).toMatchObject({
      text: expect.stringMatching(/answer 19; …\)$/),
    });
  });

  test("but the card of a link says nothing that its words do not", () => {
    const embeds = [{ title: "A page", url: "https://a.example" }];
    expect(read({ content: "see https://a.example", embeds })).toMatchObject({ text: "see https://a.example" });
  });
});
