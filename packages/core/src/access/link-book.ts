/** Who is whom by the configuration and by the store, and how that may change. Pure. */
import type { LinkWrite, RouteSnapshot } from "@banyan/store";
import type { IdentityLinks } from "../sessions/keys/identity-links.ts";

/** One account of a person on a channel; ids are the platform's stable ones. */
export interface PeerAccount {
  readonly channel: string;
  readonly peer: string;
}

export interface BookedLink extends PeerAccount {
  readonly person: string;
  /** Named in the configuration, where alone it can be taken away. */
  readonly isConfigured: boolean;
}

export type LinkBook = readonly BookedLink[];

export type LinkDecision =
  | { readonly status: "linked"; readonly person: string; readonly writes: readonly LinkWrite[] }
  | { readonly status: "already"; readonly person: string }
  /** Two of the accounts, or one and the name asked for, are different persons now. */
  | { readonly status: "other_person"; readonly account: BookedLink; readonly person: string };

export type UnlinkDecision =
  | { readonly status: "not_linked" }
  | { readonly status: "configured"; readonly link: BookedLink }
  /** The person's conversation holds what the account wrote, and the name is the configuration's: it cannot change. */
  | { readonly status: "has_written"; readonly link: BookedLink }
  | {
      readonly status: "unlinked";
      readonly person: string;
      readonly writes: readonly LinkWrite[];
      /** The person's other accounts go on together under this name. */
      readonly goesOn?: { readonly person: string; readonly accounts: readonly PeerAccount[] };
      /** The one other account, which is no longer linked to anything. */
      readonly alone?: PeerAccount;
    };

/** The configuration's word stands before the store's where both name an account. */
export function buildLinkBook(
  configured: IdentityLinks,
  stored: readonly (PeerAccount & { readonly person: string })[],
): LinkBook {
  const named = [...configured.entries()].map((link) => ({ ...link, isConfigured: true }));
  const others = stored.filter(({ channel, peer }) => configured.find(channel, peer) === undefined);
  return [...named, ...others.map(({ channel, peer, person }) => ({ channel, peer, person, isConfigured: false }))];
}

/** The book with the store's word about one account, so that it can be taken away where it contradicts the other. */
export function preferStored(
  book: LinkBook,
  stored: readonly (PeerAccount & { readonly person: string })[],
  account: PeerAccount,
): LinkBook {
  const link = stored.find((row) => isSameAccount(row, account));
  if (link === undefined || link.person === findLink(book, account)?.person) return book;
  const { channel, peer, person } = link;
  return [...book.filter((row) => !isSameAccount(row, account)), { channel, peer, person, isConfigured: false }];
}

export function findLink(book: LinkBook, account: PeerAccount): BookedLink | undefined {
  return book.find((link) => isSameAccount(link, account));
}

export function isSameAccount(one: PeerAccount, other: PeerAccount): boolean {
  return one.channel === other.channel && one.peer === other.peer;
}

/** As people and the configuration write it. */
export function formatPeerAccount({ channel, peer }: PeerAccount): string {
  return `${channel}:${peer}`;
}

/** Makes the accounts one person: under the name asked for, else the one they have, else `newName`. */
export function decideLink(
  book: LinkBook,
  accounts: readonly PeerAccount[],
  names: { readonly asked?: string | undefined; readonly newName: string },
): LinkDecision {
  const known = accounts.flatMap((account) => findLink(book, account) ?? []);
  const person = names.asked ?? known[0]?.person ?? names.newName;
  const other = known.find((link) => link.person !== person);
  if (other !== undefined) return { status: "other_person", account: other, person };
  const missing = accounts.filter((account) => findLink(book, account) === undefined);
  if (missing.length === 0) return { status: "already", person };
  return { status: "linked", person, writes: missing.map(({ channel, peer }) => ({ channel, peer, person })) };
}

/**
 * Parts an account from its person. Where it has written in the person's conversation, the others go on under `newName`:
 * the old conversation holds writing of somebody who is not linked to them any more.
 */
export function decideUnlink(
  book: LinkBook,
  account: PeerAccount,
  { hasWritten, newName }: { readonly hasWritten: boolean; readonly newName: string },
): UnlinkDecision {
  const link = findLink(book, account);
  if (link === undefined) return { status: "not_linked" };
  if (link.isConfigured) return { status: "configured", link };
  const { person } = link;
  const others = book.filter((other) => other.person === person && !isSameAccount(other, account));
  const isNamed = others.some(({ isConfigured }) => isConfigured);
  if (isNamed && hasWritten) return { status: "has_written", link };
  const parted: LinkWrite = { channel: link.channel, peer: link.peer, person: null };
  const [first, ...more] = others;
  if (first === undefined) return { status: "unlinked", person, writes: [parted] };
  if (more.length === 0 && !isNamed) {
    const writes = [parted, { channel: first.channel, peer: first.peer, person: null }];
    return { status: "unlinked", person, writes, alone: first };
  }
  if (!hasWritten) return { status: "unlinked", person, writes: [parted], goesOn: { person, accounts: others } };
  const writes = [parted, ...others.map(({ channel, peer }) => ({ channel, peer, person: newName }))];
  return { status: "unlinked", person, writes, goesOn: { person: newName, accounts: others } };
}

/** The routes as they stand once the links are written. */
export function buildLinkedRoutes(routes: RouteSnapshot, writes: readonly LinkWrite[]): RouteSnapshot {
  const kept = routes.links.filter((link) => !writes.some((write) => isSameAccount(write, link)));
  const written = writes.flatMap(({ channel, peer, person }) =>
    person === null ? [] : [{ channel, peer, person, linkedAtMs: 0 }],
  );
  return { ...routes, links: [...kept, ...written] };
}
