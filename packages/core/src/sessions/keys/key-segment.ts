import { BanyanError } from "../../ports/errors.ts";
import { formatReceivedValue } from "./received-value.ts";

const ENCODED_RUN = /[^A-Za-z0-9_.@+=-]+/g;
/** `encodeURIComponent` keeps these, a segment does not: a shell reads them. */
const KEPT_BY_URI = /[!'()*~]/g;
/** One search for what an encoded segment never holds; a whole-segment match would backtrack on huge input. */
const NOT_ENCODED = /[^A-Za-z0-9_.@+=%-]|%(?![0-9A-F]{2})/;

/**
 * Writes an id from outside as one segment of a session key: trimmed, then `A-Z a-z 0-9 _ . @ + = -` stay and every
 * other UTF-8 byte becomes `%XX` in upper case, so that no id can split a key. Ids are exact: case is kept.
 * Throws `invalid_segment` for an absent or blank id and for a lone surrogate; `name` says in the message whose id it is.
 */
export function encodeSegment(id: string | null | undefined, name = "the id"): string {
  const text = typeof id === "string" ? id.trim() : "";
  if (text === "") throw segmentError(name, "is missing, blank or not text", id, "pass the id that the platform uses");
  if (!text.isWellFormed()) {
    throw segmentError(name, "holds a lone surrogate", id, "pass the id as the platform sent it, not a part of it");
  }
  return text.replace(ENCODED_RUN, (run) => encodeURIComponent(run).replace(KEPT_BY_URI, encodeAsciiCharacter));
}

/**
 * Gives back the id that a segment was made from: `decodeSegment(encodeSegment(id)) === id.trim()`.
 * Throws `invalid_segment` when the text is not in encoded form or its bytes are not UTF-8.
 */
export function decodeSegment(segment: string): string {
  if (!isEncodedSegment(segment)) {
    throw decodingError("it is not in encoded form", segment);
  }
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw decodingError("its bytes are not UTF-8", segment, cause);
  }
}

/** Whether a text can stand as a segment: not empty, only kept characters and upper-case `%XX`. */
export function isEncodedSegment(text: string): boolean {
  return text !== "" && !NOT_ENCODED.test(text);
}

/** Writes one ASCII character as `%XX`, also one that would be kept. */
export function encodeAsciiCharacter(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, "0")}`;
}

function segmentError(name: string, wrong: string, received: unknown, cure: string): BanyanError {
  return new BanyanError(
    "invalid_segment",
    `encoding a session key segment: ${name} ${wrong}, received ${formatReceivedValue(received)}; ${cure}`,
  );
}

function decodingError(wrong: string, received: string, cause?: unknown): BanyanError {
  return new BanyanError(
    "invalid_segment",
    `decoding a session key segment: ${wrong}, received ${formatReceivedValue(received)}; pass one segment of a parsed key`,
    { cause },
  );
}
