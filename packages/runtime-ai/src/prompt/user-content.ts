import type { TranscriptAttachment } from "@banyan/plugin-sdk";
import type { SeenImages } from "@banyan/plugin-sdk/runtime";
import type { ModelMessage, UserContent } from "ai";

/** What somebody said, with the pictures of it that the model is shown behind the words. */
export function buildUserContent(
  text: string,
  attachments: readonly TranscriptAttachment[] | undefined,
  images: SeenImages,
): UserContent {
  const seen = (attachments ?? []).flatMap(({ id }) => images.get(id) ?? []);
  if (seen.length === 0) return text;
  return [
    { type: "text", text },
    // Bytes, never an address: nobody is made to fetch anything.
    ...seen.map(({ mediaType, bytes }) => ({ type: "file" as const, mediaType, data: bytes })),
  ];
}

/** One message of two in a row. */
export function joinContents(first: UserContent, second: UserContent): UserContent {
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...listParts(first), ...listParts(second)];
}

function listParts(content: UserContent): Exclude<UserContent, string> {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

export function holdsImages(messages: readonly ModelMessage[]): boolean {
  return messages.some(({ role, content }) => role === "user" && typeof content !== "string");
}

/** The same for a model that sees none: in their place stands how many there were. */
export function withoutImages(messages: readonly ModelMessage[]): readonly ModelMessage[] {
  return messages.map((message) => {
    if (message.role !== "user" || typeof message.content === "string") return message;
    const texts = message.content.flatMap((part) => (part.type === "text" ? [part.text] : []));
    const count = message.content.length - texts.length;
    if (count === 0) return message;
    const notice = count === 1 ? "(One picture came with it, which" : `(${count} pictures came with it, which`;
    return { ...message, content: [...texts, `${notice} you cannot see.)`].join("\n\n") };
  });
}
