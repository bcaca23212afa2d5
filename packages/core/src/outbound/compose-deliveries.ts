/** Builds the rows of a message. Pure. */
/** The rows of a message with files: its words, then one part for each file. Pure. */
import {
  type Address,
  type DeliveryFile,
  type DeliveryKind,
  type DeliveryPolicy,
  type FilesCapability,
  parseAddress,
  resolveChatOf,
  type TextCapability,
} from "@banyan/plugin-sdk";
import type { DeliveryAnnouncement, DeliveryBody, DeliveryQuestion, NewDelivery } from "@banyan/store";
import { splitText } from "./split-text.ts";

/** Kept free in a caption for the mark of a repeat. */
const MARK_UNITS = 32;

export interface Composition {
  /** The same for all parts and attempts of the message. */
  readonly deliveryId: string;
  readonly kind: DeliveryKind;
  readonly address: Address;
  /** Markdown. Final. */
  readonly text: string;
  readonly limit: TextCapability;
  readonly policy: DeliveryPolicy;
  readonly sessionKey?: string;
  readonly replyTo?: string;
  /** The turn that wrote the text. */
  readonly turnId?: string;
  readonly quiet?: NewDelivery["quiet"];
  /** With policy `anchor`: the text that is sent first and edited into each part, and the row whose message the first part replaces. */
  readonly anchor?: { readonly claims?: string; placeholder(part: number, of: number): string };
  /** With kind `status`. */
  readonly behind?: string;
  /** With kind `question`. Each part has it. */
  readonly question?: DeliveryQuestion;
  /** With kind `completion`. Each part is sent by the hook `announce`; the first one has this for all. */
  readonly announcement?: DeliveryAnnouncement;
}

/** Builds the rows of one message, one for each part that fits into the channel. Empty for text that is only white space. */
export function composeDeliveries(composition: Composition): readonly NewDelivery[] {
  const { deliveryId, kind, address, limit, policy, sessionKey, turnId, quiet, announcement, anchor, behind } =
    composition;
  const source = composition.text.toWellFormed();
  const parts = splitText(source, { limit: limit.limit, measure: (part) => limit.measure(part), markdown: true });
  const { channel, account } = parseAddress(address);
  return parts.map((part, index) => {
    const body: DeliveryBody = {
      text: part.prefix + source.slice(part.start, part.end) + part.suffix,
      ...(composition.replyTo === undefined || index > 0 ? {} : { replyTo: composition.replyTo }),
      ...(turnId === undefined ? {} : { turnId }),
      ...(anchor === undefined ? {} : { placeholder: anchor.placeholder(index, parts.length) }),
      ...(behind === undefined ? {} : { behind }),
      ...(composition.question === undefined ? {} : { question: composition.question }),
      // The result may be long, and there may be many parts: later ones find it in the first.
      ...(announcement === undefined || index > 0 ? {} : { announcement }),
    };
    return {
      id: `${deliveryId}.${index}`,
      deliveryId,
      part: index,
      of: parts.length,
      kind,
      channel,
      account,
      address,
      chat: resolveChatOf(address),
      policy,
      ...(sessionKey === undefined ? {} : { sessionKey }),
      ...(announcement === undefined ? {} : { runId: announcement.runId }),
      ...(anchor?.claims === undefined || index > 0 ? {} : { claims: anchor.claims }),
      ...(quiet === undefined ? {} : { quiet: { ...quiet, key: `${quiet.key}|${index}` } }),
      body: JSON.stringify(body),
    };
  });
}

export interface FileComposition extends Omit<Composition, "announcement" | "quiet"> {
  readonly files: readonly DeliveryFile[];
  /** Absent: the channel takes no files any more. Then a line of text names each. */
  readonly capability: FilesCapability | undefined;
}

/** Builds the rows of a message with files: its words, then a part for each file. Short words are the first file's caption. */
export function composeFileDeliveries(composition: FileComposition): readonly NewDelivery[] {
  const { files, capability, ...words } = composition;
  if (capability === undefined || files.length === 0) return composeDeliveries(withNames(words, files));
  const isCaption = words.limit.measure(words.text) <= capability.captionLimit - MARK_UNITS;
  const texts = isCaption ? [] : composeDeliveries(words);
  const of = texts.length + files.length;
  const sent = files.map((file, index) =>
    buildFileRow(
      words,
      { text: isCaption && index === 0 ? words.text.toWellFormed() : "", file },
      texts.length + index,
      of,
    ),
  );
  return [...texts.map((row) => ({ ...row, of })), ...sent];
}

function withNames(words: Composition, files: readonly DeliveryFile[]): Composition {
  const lines = files.map(({ name }) => `(This chat can't receive files. ${name} is in the workspace.)`);
  return { ...words, text: [words.text, ...lines].filter((text) => text.trim() !== "").join("\n\n") };
}

function buildFileRow(
  { deliveryId, kind, address, policy, sessionKey, replyTo }: Composition,
  body: DeliveryBody,
  part: number,
  of: number,
): NewDelivery {
  const { channel, account } = parseAddress(address);
  return {
    id: `${deliveryId}.${part}`,
    deliveryId,
    part,
    of,
    kind,
    channel,
    account,
    address,
    chat: resolveChatOf(address),
    policy,
    ...(sessionKey === undefined ? {} : { sessionKey }),
    body: JSON.stringify({ ...body, ...(replyTo === undefined || part > 0 ? {} : { replyTo }) }),
  };
}
