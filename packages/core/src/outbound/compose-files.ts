/** The rows of a message with files: its words, then one part for each file. Pure. */
import { type DeliveryFile, type FilesCapability, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { DeliveryBody, NewDelivery } from "@banyan/store";
import { type Composition, composeDeliveries } from "./compose-deliveries.ts";

/** What a mark of a repeat takes of a caption. */
const MARK_UNITS = 32;

export interface FileComposition extends Omit<Composition, "announcement" | "quiet"> {
  readonly files: readonly DeliveryFile[];
  /** Absent: the channel takes no files, though it did when the file was kept; a line of text names each. */
  readonly capability: FilesCapability | undefined;
}

/** Short words are the first file's caption; longer ones go before it as they would without a file. */
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
