/**
 * What a button says when it is pressed: what to do, with which run, who may press it and until when, signed. Telegram keeps
 * the text and gives it back, and changed apps send any other; the signature holds whoever invents one.
 * `<action><form of the id><user, 11><minutes since the epoch, 5><signature, 22><run id>`, numbers in base 36.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** What a press does: the delivery is tried again, the run is stopped, or the answer that grows; a question is answered. */
export type ButtonAction = "retry" | "kill" | "stop" | AnswerAction;

/** The number of the choice, as the command `/answer` takes it. */
export type AnswerAction = "answer 1" | "answer 2" | "answer 3" | "answer 4";

export interface ButtonOrder {
  readonly action: ButtonAction;
  /** With `stop` the number of the draft in place of a run, with an answer the question's id. */
  readonly runId: string;
  /** Who may press it, a Telegram id. Absent: everybody who may talk there. */
  readonly userId?: string;
  /** Milliseconds since the epoch. Kept in whole minutes. */
  readonly expiresAt: number;
}

/** Opaque; made of the bot's token, so it changes with it and is written nowhere. */
export interface ButtonKey {
  readonly secret: Uint8Array;
}

/** `forged`: made by nobody who knows the token, cut, or not one of these at all. */
export type ButtonRefusal = "forged" | "expired" | "not_yours";

export type ParsedButton =
  | { readonly kind: "order"; readonly order: Pick<ButtonOrder, "action" | "runId"> }
  | { readonly kind: "refused"; readonly why: ButtonRefusal };

/** "InlineKeyboardButton", core.telegram.org/bots/api: 1-64 bytes. */
const DATA_LIMIT_BYTES = 64;
const USER_CHARS = 11;
const EXPIRY_CHARS = 5;
const EVERYBODY = "*".repeat(USER_CHARS);
/** Half of SHA-256: 128 bits, 22 characters. */
const SIGNATURE_BYTES = 16;
const MINUTE_MS = 60_000;
const LETTERS: Readonly<Record<ButtonAction, string>> = {
  retry: "r",
  kill: "k",
  stop: "s",
  "answer 1": "a",
  "answer 2": "b",
  "answer 3": "c",
  "answer 4": "d",
};
const ACTIONS: readonly ButtonAction[] = ["retry", "kill", "stop", "answer 1", "answer 2", "answer 3", "answer 4"];
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;
const USER = /^[1-9]\d{0,15}$/;
const SIGNED =
  /^(?<letter>[rksa-d])(?<form>[ut])(?<user>[0-9a-z]{11}|\*{11})(?<expiry>[0-9a-z]{5})(?<signature>[\w-]{22})(?<id>[\w-]{1,22})$/;

export function deriveButtonKey(token: string): ButtonKey {
  return { secret: createHmac("sha256", token).update("banyan telegram button v1").digest() };
}

/** `undefined` where it does not fit into a button: the button is left out. */
export function formatButtonData(order: ButtonOrder, key: ButtonKey): string | undefined {
  const { action, runId, userId, expiresAt } = order;
  const user = userId === undefined ? EVERYBODY : formatUser(userId);
  const [form, id] = UUID.test(runId) ? ["u", packUuid(runId)] : ["t", runId];
  const expiry = Math.ceil(expiresAt / MINUTE_MS).toString(36);
  const head = `${LETTERS[action]}${form}${user}${expiry.padStart(EXPIRY_CHARS, "0")}`;
  const data = `${head}${sign(head, id, key)}${id}`;
  return data.length <= DATA_LIMIT_BYTES && SIGNED.test(data) ? data : undefined;
}

/** Total. `userId`: who pressed; `now` in milliseconds since the epoch. */
export function parseButtonData(
  data: string,
  { key, userId, now }: { readonly key: ButtonKey; readonly userId: string; readonly now: number },
): ParsedButton {
  const { letter = "", form = "", user = "", expiry = "", signature = "", id = "" } = SIGNED.exec(data)?.groups ?? {};
  const action = ACTIONS.find((known) => LETTERS[known] === letter);
  if (action === undefined || !isSame(signature, sign(`${letter}${form}${user}${expiry}`, id, key)))
    return refuse("forged");
  if (user !== EVERYBODY && user !== formatUser(userId)) return refuse("not_yours");
  if (now > Number.parseInt(expiry, 36) * MINUTE_MS) return refuse("expired");
  return { kind: "order", order: { action, runId: form === "u" ? unpackUuid(id) : id } };
}

/** What is no id of Telegram, such as that of somebody who asked elsewhere, fits nobody here. */
function formatUser(userId: string): string {
  return USER.test(userId) ? Number(userId).toString(36).padStart(USER_CHARS, "0") : "";
}

function packUuid(uuid: string): string {
  return Buffer.from(uuid.replaceAll("-", ""), "hex").toString("base64url");
}

function unpackUuid(packed: string): string {
  const hex = Buffer.from(packed, "base64url").toString("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function sign(head: string, id: string, { secret }: ButtonKey): string {
  const digest = createHmac("sha256", secret).update(`${head}.${id}`).digest();
  return digest.subarray(0, SIGNATURE_BYTES).toString("base64url");
}

/** As text, for the last letter of an encoded signature has bits that mean nothing. Takes the same time wherever they differ. */
function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

function refuse(why: ButtonRefusal): ParsedButton {
  return { kind: "refused", why };
}
