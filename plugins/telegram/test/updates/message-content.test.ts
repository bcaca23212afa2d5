import type { Message } from "grammy/types";
import { describe, expect, it } from "vitest";
import { translateUpdate } from "../../src/updates/update-translation.ts";

const me = { account: "default", id: 7550001, username: "grove_bot", hasPrivateTopics: false };
const ada = { id: 42, is_bot: false, first_name: "Ada" };
const chat = { id: 42, type: "private", first_name: "Ada" } as const;
const file = { file_id: "f", file_unique_id: "u" };
const frame = { ...file, width: 1, height: 1 };
const clip = { ...frame, duration: 1 };
const sticker = { ...frame, type: "regular", is_animated: false, is_video: false } as const;
const place = { latitude: 52.5, longitude: 13.4 };
const poll = {
  id: "p",
  question: "Lunch?",
  options: ["yes", "no"].map((text) => ({ persistent_id: text, text, voter_count: 0 })),
  total_voter_count: 0,
  is_closed: false,
  is_anonymous: true,
  type: "regular",
  allows_multiple_answers: false,
  allows_revoting: true,
  members_only: false,
} as const;

function read(part: Partial<Message>) {
  const translated = translateUpdate(
    { update_id: 1, message: { message_id: 7, date: 1, ...part, from: ada, chat } },
    me,
  );
  return translated.kind === "message" ? translated.message : translated;
}

describe("a file is a reference", () => {
  it.each<[what: string, part: Partial<Message>, reference: object]>([
    [
      "a photo, the largest size",
      {
        photo: [
          { ...frame, file_id: "s" },
          { ...frame, file_size: 9 },
        ],
      },
      { name: "photo.jpg", mimeType: "image/jpeg", sizeBytes: 9 },
    ],
    [
      "a document",
      { document: { ...file, file_name: "plan.pdf", mime_type: "application/pdf" } },
      { name: "plan.pdf", mimeType: "application/pdf" },
    ],
    ["a nameless document", { document: file }, { name: "document" }],
    [
      "an animation, which is also a document",
      { animation: clip, document: file },
      { name: "animation.mp4", mimeType: "video/mp4" },
    ],
    ["music", { audio: { ...file, duration: 1, title: "Song" } }, { name: "Song" }],
    ["a video", { video: clip }, { name: "video.mp4", mimeType: "video/mp4" }],
    [
      "a round video",
      { video_note: { ...file, length: 1, duration: 1 } },
      { name: "video-message.mp4", mimeType: "video/mp4" },
    ],
    ["a voice message", { voice: { ...file, duration: 1 } }, { name: "voice.ogg", mimeType: "audio/ogg" }],
  ])("%s", (_, part, reference) => {
    expect(read(part)).toMatchObject({ text: "", attachments: [{ id: "f", ...reference }] });
    expect(read({ ...part, caption: "look" })).toMatchObject({ text: "look", attachments: [{ id: "f" }] });
  });

  it.each([
    [{ is_animated: true, is_video: false }, "sticker.tgs"],
    [{ is_animated: false, is_video: true }, "sticker.webm"],
    [{ is_animated: false, is_video: false }, "sticker.webp"],
  ])("a sticker %j, which says what its emoji says", (kind, name) => {
    expect(read({ sticker: { ...sticker, ...kind, emoji: "👍" } })).toMatchObject({
      text: "👍",
      attachments: [{ name }],
    });
  });
});

describe("what is no file is put into words", () => {
  it.each<[part: Partial<Message>, text: string]>([
    [{ location: place }, "(a location: 52.5, 13.4)"],
    [
      { venue: { location: place, title: "Café", address: "Main St 1" }, location: place },
      "(a place: Café, Main St 1; 52.5, 13.4)",
    ],
    [{ contact: { phone_number: "+491", first_name: "Bob" } }, "(a contact: Bob +491)"],
    [{ poll }, "(a poll: Lunch?; yes; no)"],
    [{ checklist: { title: "Shopping", tasks: [{ id: 1, text: "milk" }] } }, "(a checklist: Shopping; milk)"],
    [{ dice: { emoji: "🎲", value: 4 } }, "(🎲, which shows 4)"],
    [{ story: { chat, id: 1 } }, "(a story, which bots cannot see)"],
    [{ sticker }, "(a sticker)"],
  ])("%j", (part, text) => {
    expect(read(part)).toMatchObject({ text });
  });

  it("and a long list is cut", () => {
    const tasks = Array.from({ length: 30 }, (_, id) => ({ id, text: `task ${id}` }));
    expect(read({ checklist: { title: "All", tasks } })).toMatchObject({
      text: expect.stringMatching(/task 19; …\)$/),
    });
  });
});
