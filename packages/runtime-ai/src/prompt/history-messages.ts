import { type ContentPart, formatCompletion, type TranscriptEntry } from "@banyan/plugin-sdk";
import { formatSpoken, NO_IMAGES, type SeenImages } from "@banyan/plugin-sdk/runtime";
import type { ModelMessage } from "ai";
import { formatAttachments } from "./turn-words.ts";
import { buildUserContent } from "./user-content.ts";

type ToolCallPart = Extract<ContentPart, { type: "tool_call" }>;

const NO_RESULT = "No result is known: the turn was over before.";

/** A transcript as a model reads it, oldest first. A call stands with its result, since providers refuse one without. */
export function buildHistoryMessages(
  entries: readonly TranscriptEntry[],
  isNamed: boolean,
  images: SeenImages = NO_IMAGES,
): readonly ModelMessage[] {
  const history = new History(isNamed, images);
  for (const entry of entries) history.add(entry);
  return history.close();
}

class History {
  readonly #messages: ModelMessage[] = [];
  readonly #isNamed: boolean;
  readonly #images: SeenImages;
  /** Calls whose results have not been read yet, by their ordinals. */
  readonly #open = new Map<number, ToolCallPart & { readonly id: string }>();

  constructor(isNamed: boolean, images: SeenImages) {
    this.#isNamed = isNamed;
    this.#images = images;
  }

  add(entry: TranscriptEntry): void {
    for (const part of entry.content) {
      if (part.type === "tool_call") this.#open.set(part.ordinal, { ...part, id: `call_${entry.seq}_${part.ordinal}` });
      // The result of the call that was asked about says how it ended.
      else if (part.type === "question" || part.type === "answer") continue;
      else if (part.type === "tool_result") this.#settle(part.ordinal, part.text, part.isError);
      else this.#say(entry, part.type === "completion" ? formatCompletion(part.completion) : part.text);
    }
  }

  close(): readonly ModelMessage[] {
    this.#settleAll();
    return this.#messages;
  }

  #say({ role, sender, kind, attachments }: TranscriptEntry, text: string): void {
    if (text.trim() === "") return;
    this.#settleAll();
    if (role === "assistant") this.#messages.push({ role: "assistant", content: text });
    else {
      const isSaid = role === "user" && kind === "message";
      const spoken = isSaid && this.#isNamed && sender !== undefined ? formatSpoken(text, sender) : text;
      const told = attachments?.length ? `${spoken}\n\n${formatAttachments(attachments)}` : spoken;
      this.#messages.push({ role: "user", content: buildUserContent(told, attachments, this.#images) });
    }
  }

  #settle(ordinal: number, text: string, isError: boolean): void {
    const call = this.#open.get(ordinal);
    if (call === undefined) return;
    this.#open.delete(ordinal);
    this.#messages.push(...buildCallMessages(call, { text, isError }));
  }

  #settleAll(): void {
    for (const ordinal of this.#open.keys()) this.#settle(ordinal, NO_RESULT, true);
  }
}

/** One call with its result. */
export function buildCallMessages(
  { id, name, args }: { readonly id: string; readonly name: string; readonly args: unknown },
  { text, isError }: { readonly text: string; readonly isError: boolean },
): readonly ModelMessage[] {
  const output = isError ? ({ type: "error-text", value: text } as const) : ({ type: "text", value: text } as const);
  return [
    { role: "assistant", content: [{ type: "tool-call", toolCallId: id, toolName: name, input: args ?? {} }] },
    { role: "tool", content: [{ type: "tool-result", toolCallId: id, toolName: name, output }] },
  ];
}
