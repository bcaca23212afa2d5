import { type Address, type InboundMessage, parseAddress } from "@banyan/plugin-sdk";
import type { NewPairing, ReceivedItem } from "@banyan/store";
import { createOneTimeCode, formatOneTimeCode } from "../access/one-time-code.ts";
import { formatItemBody } from "../lanes/item-body.ts";
import type { Ports } from "../ports/ports.ts";
import { composeNotice, composeOneNotice, type NoticeParts } from "./compose-notice.ts";
import type { InboundRefusal } from "./decide-inbound.ts";
import { formatDedupe } from "./message-identity.ts";

/** A refused sender gets at most one line in this time. */
const REFUSAL_QUIET_MS = 60 * 60_000;
/** Long enough to ask the owner, short enough that a code seen over a shoulder is soon worth nothing. */
const PAIRING_TTL_MS = 60 * 60_000;
/** Strangers who wait at an account at a time: a crowd must not bury the one whom the owner expects. */
const MOST_PENDING_PAIRINGS = 3;
const SHOWN_NAME_CHARS = 64;

type Refused = Pick<ReceivedItem, "refused" | "pairing" | "amendment" | "deliveries" | "ifFull">;

export interface RefusedParts extends NoticeParts {
  readonly randomBytes: Ports["randomBytes"];
}

/** What of a refusal is stored beside the fact, and what its sender is told. Groups are told nothing. */
export function buildRefused(
  message: InboundMessage,
  refusal: InboundRefusal,
  parts: RefusedParts,
  cameIn: Address = message.address,
): Refused {
  const { reason: refused, tell, offersPairing, amends } = refusal;
  const { address } = message;
  if (amends)
    return {
      refused,
      amendment: { dedupe: formatDedupe({ address: cameIn, id: message.id }), body: formatItemBody(message) },
    };
  if (parseAddress(address).kind !== "dm") return { refused };
  if (offersPairing) return { refused, ...buildPairing(message, parts) };
  if (tell === undefined) return { refused };
  // Somebody who may talk is told of a message left out whatever else he was told.
  const key = refused === "too_old" ? `late|${address}` : `refused|${address}`;
  return { refused, deliveries: composeNotice(message, { text: tell, quiet: { key, ms: REFUSAL_QUIET_MS } }, parts) };
}

/** A code is told as long as it holds; who finds no place in the queue hears so at most once an hour. */
function buildPairing(message: InboundMessage, parts: RefusedParts): Omit<Refused, "refused"> {
  const code = createOneTimeCode(parts);
  const text = `This bot is private. Your code is ${formatOneTimeCode(code)}; its owner can let you in.`;
  const full = "This bot is private, and too many people ask to be let in right now. Write again in an hour.";
  const quiet = { key: `refused|${message.address}`, ms: REFUSAL_QUIET_MS };
  return {
    pairing: buildNewPairing(message, code),
    deliveries: composeNotice(message, { text }, parts),
    ifFull: composeOneNotice(message, { text: full, quiet }, parts),
  };
}

function buildNewPairing({ address, sender }: InboundMessage, code: string): NewPairing {
  const { channel, account } = parseAddress(address);
  const name = sender.displayName?.trim().toWellFormed().slice(0, SHOWN_NAME_CHARS).toWellFormed() ?? "";
  return {
    channel,
    account,
    senderId: sender.id.trim(),
    ...(name === "" ? {} : { displayName: name }),
    code,
    address,
    ttlMs: PAIRING_TTL_MS,
    mostPending: MOST_PENDING_PAIRINGS,
  };
}
