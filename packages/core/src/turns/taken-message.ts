import type { Completion, NewTranscriptEntry, TurnMessage } from "@banyan/plugin-sdk";
import { formatCompletion, isAddress } from "@banyan/plugin-sdk";
import type { ItemRow, StoreReads } from "@banyan/store";
import { type ItemBody, parseItemBody } from "../lanes/item-body.ts";
import { formatAttachment, formatAttachmentName, listAttachments } from "../sessions/received-attachment.ts";
import { buildCompletionEntry, buildInputEntry } from "../sessions/transcript.ts";

/** A waiting item that a turn answers to beside its own. */
export interface TakenMessage {
  readonly seq: number;
  readonly kind: ItemRow["kind"];
  readonly address: string;
  readonly body: ItemBody;
}

export function readTaken({ seq, kind, address, body }: ItemRow): TakenMessage {
  return { seq, kind, address, body: fillWords(parseItemBody(body)) };
}

/**
 * The same, with a mark on a completion that the host has announced: its requester woke too late to tell of it. Where the
 * answer goes to no chat it can repeat nothing there.
 */
export async function markAnnounced<Input extends Pick<TakenMessage, "body">>(
  input: Input,
  read: Pick<StoreReads, "run">,
): Promise<Input> {
  const { completion, isQuiet } = input.body;
  if (completion === undefined || isQuiet) return input;
  const run = await read.run(completion.runId);
  if (run?.settledBy !== "host") return input;
  return { ...input, body: { ...input.body, completion: { ...completion, isAnnounced: true } } };
}

const NOT_AGAIN = "Do not repeat it: answer with what is new, or with NO_REPLY alone.";

export function buildCompletionMessage(completion: Completion): TurnMessage {
  const text = formatCompletion(completion);
  return { kind: "completion", text: completion.isAnnounced === true ? `${text} ${NOT_AGAIN}` : text, completion };
}

/** As the agent is given it. */
export function buildTakenMessage({ seq, kind, address, body }: TakenMessage): TurnMessage {
  const { completion, quote, attachments, text, sender } = body;
  if (completion !== undefined) return buildCompletionMessage(completion);
  const files = isAddress(address) ? listAttachments(seq, address, attachments) : [];
  const context = [
    ...(quote?.text ? [{ label: "quoted message", text: quote.text }] : []),
    ...(files.length > 0 ? [{ label: "attachments", text: files.map(formatAttachment).join("\n") }] : []),
  ];
  const shown = kind === "nested" ? "nested" : "message";
  const attached = files.length === 0 ? {} : { attachments: files };
  return { kind: shown, text, sender, ...(context.length === 0 ? {} : { context }), ...attached };
}

/** One in each conversation, however often a turn on it begins: it enters a transcript once. */
export function buildInputEntryId(seq: number, sessionId: string): string {
  return `input|${seq}|${sessionId}`;
}

export function buildTakenEntry({ seq, address, body }: TakenMessage, sessionId: string): NewTranscriptEntry {
  const { completion, at, attachments } = body;
  if (completion !== undefined) return buildCompletionEntry(at, completion);
  const files = isAddress(address) ? listAttachments(seq, address, attachments) : [];
  return buildInputEntry({ id: buildInputEntryId(seq, sessionId), timestamp: at }, { ...body, attachments: files });
}

export function listTakenCompletions(taken: readonly TakenMessage[]): readonly Completion[] {
  return taken.flatMap(({ body: { completion } }) => (completion === undefined ? [] : [completion]));
}

/** A file alone is an input, too; many models refuse one without a word. */
export function fillWords(body: ItemBody): ItemBody {
  if (body.text.trim() !== "" || !body.attachments?.length) return body;
  return { ...body, text: `(sent without words: ${body.attachments.map(formatAttachmentName).join(", ")})` };
}
