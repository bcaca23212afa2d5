import { BanyanError } from "../../ports/errors.ts";
import { foldToPlainName, isPlainName } from "./plain-name.ts";
import { formatReceivedValue } from "./received-value.ts";
import { isReservedWord } from "./reserved-word.ts";

/** The account of a channel that has only one. */
export const DEFAULT_ACCOUNT_ID = "default";

/** Accounts are keyed by id in JSON records, where these names reach the prototype. */
const PROTOTYPE_NAMES: readonly string[] = ["__proto__", "prototype", "constructor"];

/**
 * Gives the account id that a free text means: `"My Bot"` is `my-bot`. Absent or blank is `default`.
 * Throws `invalid_account_id` for reserved words, for names that reach an object's prototype,
 * and when nothing representable is left.
 */
export function normalizeAccountId(accountId: string | null | undefined): string {
  if (accountId === undefined || accountId === null || accountId.trim() === "") return DEFAULT_ACCOUNT_ID;
  if (isRefused(accountId.trim().toLowerCase())) throw accountError("the name is reserved", accountId);
  const folded = foldToPlainName(accountId);
  if (folded === undefined) throw accountError("it has no character that a session key may contain", accountId);
  if (isRefused(folded)) throw accountError(`it means the reserved name ${folded}`, accountId);
  return folded;
}

/** Whether a text is an account id as it stands in a key. */
export function isAccountId(text: string): boolean {
  return isPlainName(text) && !isRefused(text);
}

function isRefused(name: string): boolean {
  return isReservedWord(name) || PROTOTYPE_NAMES.includes(name);
}

function accountError(wrong: string, received: string): BanyanError {
  return new BanyanError(
    "invalid_account_id",
    `reading an account id: ${wrong}, received ${formatReceivedValue(received)}; use another name of a-z, 0-9, _ and -`,
  );
}
