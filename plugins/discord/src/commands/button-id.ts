/**
 * What a button says when it is pressed: what to do, with which run, who may press it and until when, signed. Discord keeps
 * the text and gives it back; the signature holds whoever invents one, also over HTTP.
 * `b1.<action>.<run id>.<user id or *>.<seconds since the epoch, base 36>.<signature>`
 */
import { createHmac, timingSafeEqual } from "node:crypto";

/** What a press does: the delivery is tried again, the run is stopped, or a question is answered. */
export type ButtonAction = "retry" | "kill" | AnswerAction;

/** The number of the choice, as the command `/answer` takes it. */
export type AnswerAction = "answer 1" | "answer 2" | "answer 3" | "answer 4";

export interface ButtonOrder {
  readonly action: ButtonAction;
  /** With an answer the question's id. */
  readonly runId: string;
  /** Who may press it. Absent: everybody who may talk there. */
  readonly userId?: string;
  /** Milliseconds since the epoch. Kept in whole seconds. */
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

/** "Custom ID", docs.discord.com/developers/components/reference. */
const CUSTOM_ID_LIMIT_CHARS = 100;
const VERSION = "b1";
const EVERYBODY = "*";
/** Half of SHA-256: 128 bits, 22 characters. */
const SIGNATURE_BYTES = 16;
const LETTERS: Readonly<Record<ButtonAction, string>> = {
  retry: "r",
  kill: "k",
  "answer 1": "a",
  "answer 2": "b",
  "answer 3": "c",
  "answer 4": "d",
};
const ACTIONS: readonly ButtonAction[] = ["retry", "kill", "answer 1", "answer 2", "answer 3", "answer 4"];
const SIGNED =
  /^(?<text>b1\.(?<letter>[rka-d])\.(?<runId>[\w-]{1,40})\.(?<user>\d{1,20}|\*)\.(?<expiry>[0-9a-z]{1,9}))\.(?<signature>[\w-]{22})$/;

export function deriveButtonKey(token: string): ButtonKey {
  return { secret: createHmac("sha256", token).update("banyan button v1").digest() };
}

/** `undefined` where it does not fit into a button: the button is left out. */
export function formatButtonId({ action, runId, userId, expiresAt }: ButtonOrder, key: ButtonKey): string | undefined {
  const expiry = Math.ceil(expiresAt / 1000).toString(36);
  const text = [VERSION, LETTERS[action], runId, userId ?? EVERYBODY, expiry].join(".");
  const id = `${text}.${sign(text, key)}`;
  return id.length <= CUSTOM_ID_LIMIT_CHARS && SIGNED.test(id) ? id : undefined;
}

/** Total. Who pressed and when are told by the interaction. */
export function parseButtonId(
  customId: string,
  { key, userId, now }: { readonly key: ButtonKey; readonly userId: string; readonly now: number },
): ParsedButton {
  const { text, letter, runId, user, expiry, signature } = SIGNED.exec(customId)?.groups ?? {};
  const action = ACTIONS.find((known) => LETTERS[known] === letter);
  if (text === undefined || runId === undefined || expiry === undefined || action === undefined)
    return refuse("forged");
  if (!isSame(signature ?? "", sign(text, key))) return refuse("forged");
  if (user !== EVERYBODY && user !== userId) return refuse("not_yours");
  if (now > Number.parseInt(expiry, 36) * 1000) return refuse("expired");
  return { kind: "order", order: { action, runId } };
}

function sign(text: string, { secret }: ButtonKey): string {
  return createHmac("sha256", secret).update(text).digest().subarray(0, SIGNATURE_BYTES).toString("base64url");
}

/** As text, for the last letter of an encoded signature has bits that mean nothing. Takes the same time wherever they differ. */
function isSame(given: string, expected: string): boolean {
  return given.length === expected.length && timingSafeEqual(Buffer.from(given), Buffer.from(expected));
}

function refuse(why: ButtonRefusal): ParsedButton {
  return { kind: "refused", why };
}
