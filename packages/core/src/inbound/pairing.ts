/** Pairing: a stranger who writes to a private bot gets a one-time code, which the operator can approve. */
import { type InboundMessage, parseAddress } from "@banyan/plugin-sdk";
import type { NewPairing, ReceivedItem } from "@banyan/store";
import type { Ports } from "../ports/ports.ts";
import { composeNotice, type NoticeParts } from "./notice.ts";

/** Digits and letters without I, L, O and U: those are easily misread, or form words. */
const SYMBOLS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const CODE_CHARS = 8;
const HALF_CHARS = CODE_CHARS / 2;

/** Long enough to ask the operator, short enough that a code seen over a shoulder is soon worthless. */
const PAIRING_TTL_MS = 60 * 60_000;
/** Open requests per account: a crowd of strangers must not hide the one whom the operator expects. */
const MAX_PENDING_PAIRINGS = 3;
const MAX_NAME_CHARS = 64;
const QUEUE_FULL_QUIET_MS = 60 * 60_000;

export interface PairingParts extends NoticeParts {
  readonly ports: Pick<Ports, "createId" | "randomBytes">;
}

/** Builds what is stored for a stranger: the request, the notice with the code, and the notice in case of too many requests. */
export function buildPairing(
  { address, sender }: InboundMessage,
  parts: PairingParts,
): Pick<ReceivedItem, "pairing" | "deliveries" | "ifFull"> {
  const { channel, account } = parseAddress(address);
  const code = createOneTimeCode(parts.ports);
  const displayName = sender.displayName?.trim().toWellFormed().slice(0, MAX_NAME_CHARS).toWellFormed() ?? "";
  const pairing: NewPairing = {
    channel,
    account,
    senderId: sender.id.trim(),
    ...(displayName === "" ? {} : { displayName }),
    code,
    address,
    ttlMs: PAIRING_TTL_MS,
    mostPending: MAX_PENDING_PAIRINGS,
  };
  const text = `This bot is private. Your code is ${formatOneTimeCode(code)}; its owner can let you in.`;
  const full = "This bot is private, and too many people ask to be let in right now. Write again in an hour.";
  const quiet = { key: `refused|${address}`, ms: QUEUE_FULL_QUIET_MS };
  const deliveries = composeNotice({ address, text }, parts);
  const [ifFull] = composeNotice({ address, text: full, quiet }, parts);
  return { pairing, deliveries, ...(ifFull === undefined ? {} : { ifFull }) };
}

/** Creates eight of 32 symbols, 40 bits: short enough to read from one screen and type on another. */
export function createOneTimeCode(ports: Pick<Ports, "randomBytes">): string {
  // 256 is a multiple of 32, so all symbols are equally likely.
  return Array.from(ports.randomBytes(CODE_CHARS), (byte) => SYMBOLS.charAt(byte % SYMBOLS.length)).join("");
}

/** Formats a code for people: `7KQ2-MXPA`. */
export function formatOneTimeCode(code: string): string {
  return `${code.slice(0, HALF_CHARS)}-${code.slice(HALF_CHARS)}`;
}

/** Parses a code as people type it: in any case, with or without the dash, O for 0, I or L for 1. */
export function parseOneTimeCode(text: string): string | undefined {
  const folded = text.trim().toUpperCase().replace(/[-\s]/g, "").replaceAll("O", "0").replace(/[IL]/g, "1");
  return folded.length === CODE_CHARS && [...folded].every((symbol) => SYMBOLS.includes(symbol)) ? folded : undefined;
}
