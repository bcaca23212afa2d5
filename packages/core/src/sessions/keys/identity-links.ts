import { BanyanError } from "../../ports/errors.ts";
import { normalizeChannelId } from "./channel-id.ts";
import { isPlainName } from "./plain-name.ts";
import { formatReceivedValue } from "./received-value.ts";

const NAME_CURE = "begin with a-z or 0-9, then up to 63 of a-z, 0-9, _ and -";
const ENTRY_CURE = 'write a list of "channel:id"';

/** The setting as it is written: a person's name, and `channel:id` for each of the person's accounts. */
export type IdentityLinksRecord = Readonly<Record<string, readonly string[]>>;

/**
 * Who is the same person on several channels, parsed once and immutable; both questions are answered in O(1).
 * Made by `parseIdentityLinks`, and again by it whenever a link changes.
 */
export class IdentityLinks {
  /** The names of all persons. */
  readonly persons: ReadonlySet<string>;
  readonly #personByAccount: ReadonlyMap<string, string>;

  constructor(persons: ReadonlySet<string>, personByAccount: ReadonlyMap<string, string>) {
    this.persons = persons;
    this.#personByAccount = personByAccount;
  }

  /** Every account and its person. */
  *entries(): IterableIterator<{ readonly channel: string; readonly peer: string; readonly person: string }> {
    for (const [account, person] of this.#personByAccount) yield { ...splitAccount(account), person };
  }

  /** The person's name, or `undefined` when nobody linked this id. Takes a normalized channel and a trimmed, exact id. */
  find(channel: string, id: string): string | undefined {
    return this.#personByAccount.get(formatAccount(channel, id));
  }
}

/**
 * Reads the setting `session.identityLinks`; absent is no links. An entry is split at its first `:`, the channel folded,
 * the id trimmed and then exact. Naming one id twice under one person is no contradiction.
 * Throws `invalid_identity_links` for a name that is not `^[a-z0-9][a-z0-9_-]{0,63}$`, a bare or blank id, a malformed
 * channel, and an id with two names. The message names the setting by path, not by value.
 */
export function parseIdentityLinks(links: unknown): IdentityLinks {
  const persons = new Set<string>();
  const personByAccount = new Map<string, string>();
  for (const [person, entries] of listPersons(links)) {
    const path = `session.identityLinks[${formatReceivedValue(person)}]`;
    if (!isPlainName(person)) throw linksError(path, "the person's name is malformed", person, NAME_CURE);
    if (!Array.isArray(entries)) throw linksError(path, "it is not a list", entries, ENTRY_CURE);
    persons.add(person);
    for (const [at, entry] of entries.entries()) {
      const account = parseAccount(`${path}[${at}]`, entry);
      const other = personByAccount.get(account) ?? person;
      if (other !== person) {
        throw linksError(
          `${path}[${at}]`,
          "the id is linked under another name too",
          other,
          "link each id to one person",
        );
      }
      personByAccount.set(account, person);
    }
  }
  return new IdentityLinks(persons, personByAccount);
}

/** The configuration's links and those that were stored. Throws `invalid_identity_links` where they contradict. */
export function joinIdentityLinks(
  configured: IdentityLinks,
  stored: readonly { readonly channel: string; readonly peer: string; readonly person: string }[],
): IdentityLinks {
  if (stored.length === 0) return configured;
  const persons = new Set(configured.persons);
  const personByAccount = new Map<string, string>();
  for (const { channel, peer, person } of configured.entries())
    personByAccount.set(formatAccount(channel, peer), person);
  for (const { channel, peer, person } of stored) {
    const account = formatAccount(channel, peer);
    const other = personByAccount.get(account) ?? person;
    if (other !== person) {
      const cure = `remove one of the two, the stored one with banyan link remove ${account}`;
      throw linksError("session.identityLinks", "an id is linked under another name in the store", other, cure);
    }
    persons.add(person);
    personByAccount.set(account, person);
  }
  return new IdentityLinks(persons, personByAccount);
}

/** One account as people write it, `channel:id`. Throws `invalid_identity_links`. */
export function parseLinkedAccount(text: string): { readonly channel: string; readonly peer: string } {
  return splitAccount(parseAccount("an account", text, text));
}

function splitAccount(account: string): { readonly channel: string; readonly peer: string } {
  const colon = account.indexOf(":");
  return { channel: account.slice(0, colon), peer: account.slice(colon + 1) };
}

function listPersons(links: unknown): readonly (readonly [string, unknown])[] {
  if (links === undefined || links === null) return [];
  // A list or a Map would read as an object with no persons and so silently unlink everybody.
  if (typeof links === "object" && !(Symbol.iterator in links)) return Object.entries(links);
  throw linksError("session.identityLinks", "it is not an object", links, 'write { "name": ["channel:id"] }');
}

/** `shown` stands in the error for a bare id: of a setting only its path is told, of a command line what was typed. */
function parseAccount(path: string, entry: unknown, shown = "a bare id"): string {
  if (typeof entry !== "string") throw linksError(path, "it is not text", entry, ENTRY_CURE);
  const colon = entry.indexOf(":");
  const id = entry.slice(colon + 1).trim();
  if (colon === -1) throw linksError(path, "no channel is named", shown, ENTRY_CURE);
  if (id === "") throw linksError(path, "the id is blank", "a channel alone", ENTRY_CURE);
  if (!id.isWellFormed())
    throw linksError(path, "the id holds a lone surrogate", "text that is not Unicode", ENTRY_CURE);
  try {
    return formatAccount(normalizeChannelId(entry.slice(0, colon)), id);
  } catch (cause) {
    throw linksError(path, "the channel is malformed or reserved", entry.slice(0, colon), ENTRY_CURE, cause);
  }
}

/** Unambiguous, because a channel id holds no colon. */
function formatAccount(channel: string, id: string): string {
  return `${channel}:${id}`;
}

function linksError(path: string, wrong: string, received: unknown, cure: string, cause?: unknown): BanyanError {
  return new BanyanError(
    "invalid_identity_links",
    `reading ${path}: ${wrong}, received ${formatReceivedValue(received)}; ${cure}`,
    { cause },
  );
}
