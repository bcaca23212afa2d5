/** Accounts that are linked as one person: the configured and the stored links, and how they may change. */
import type { LinkWrite, RouteSnapshot } from "@banyan/store";
import { BanyanError } from "../ports/errors.ts";
import type { IdentityLinks } from "../sessions/keys/identity-links.ts";

/** One account of a person on a channel; ids are the platform's stable ones. */
export interface PeerAccount {
  readonly channel: string;
  readonly peer: string;
}

export interface BookedLink extends PeerAccount {
  readonly person: string;
  /** It is in the configuration and can only be removed there. */
  readonly isConfigured: boolean;
}

export type LinkBook = readonly BookedLink[];

export type LinkDecision =
  | { readonly status: "linked"; readonly person: string; readonly writes: readonly LinkWrite[] }
  | { readonly status: "already"; readonly person: string }
  /** One of the accounts is linked as another person. */
  | { readonly status: "other_person"; readonly account: BookedLink; readonly person: string };

export type UnlinkDecision =
  | { readonly status: "not_linked" }
  | { readonly status: "configured"; readonly link: BookedLink }
  /** The person's session holds messages of the account, and the person's name is configured, so it cannot change. */
  | { readonly status: "has_written"; readonly link: BookedLink }
  | {
      readonly status: "unlinked";
      readonly person: string;
      readonly writes: readonly LinkWrite[];
      /** The person's other accounts stay linked, under this name. */
      readonly remaining?: { readonly person: string; readonly accounts: readonly PeerAccount[] };
      /** The person's only other account. It is not linked any more either. */
      readonly alone?: PeerAccount;
    };

/** Where the configuration and the store both name an account, the configuration wins. */
export function buildLinkBook(
  configured: IdentityLinks,
  stored: readonly (PeerAccount & { readonly person: string })[],
): LinkBook {
  const named = [...configured.entries()].map((link) => ({ ...link, isConfigured: true }));
  const others = stored.filter(({ channel, peer }) => configured.find(channel, peer) === undefined);
  return [...named, ...others.map(({ channel, peer, person }) => ({ channel, peer, person, isConfigured: false }))];
}

/** Replaces the link of one account by the stored one, so that a stored link that contradicts the configuration can be removed. */
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

/** Formats an account as people and the configuration write it. */
export function formatPeerAccount({ channel, peer }: PeerAccount): string {
  return `${channel}:${peer}`;
}

/** Links the accounts as one person: `asked`, else the name that one of them has, else `newName`. */
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
 * Unlinks an account from its person. If it has written in the person's session, the other accounts continue as `newName`:
 * they must not read on in a session that holds messages of someone who is not linked to them any more.
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
  const removal: LinkWrite = { channel: link.channel, peer: link.peer, person: null };
  const [first, ...more] = others;
  if (first === undefined) return { status: "unlinked", person, writes: [removal] };
  if (more.length === 0 && !isNamed) {
    const writes = [removal, { channel: first.channel, peer: first.peer, person: null }];
    return { status: "unlinked", person, writes, alone: first };
  }
  if (!hasWritten) return { status: "unlinked", person, writes: [removal], remaining: { person, accounts: others } };
  const writes = [removal, ...others.map(({ channel, peer }) => ({ channel, peer, person: newName }))];
  return { status: "unlinked", person, writes, remaining: { person: newName, accounts: others } };
}

/** Builds the routes as they will be after the links are written. */
export function buildLinkedRoutes(routes: RouteSnapshot, writes: readonly LinkWrite[]): RouteSnapshot {
  const kept = routes.links.filter((link) => !writes.some((write) => isSameAccount(write, link)));
  const written = writes.flatMap(({ channel, peer, person }) =>
    person === null ? [] : [{ channel, peer, person, linkedAtMs: 0 }],
  );
  return { ...routes, links: [...kept, ...written] };
}

/** Rejects with a `BanyanError` if the configuration forbids these routes, such as two people who share one session. */
export type RouteCheck = (routes: RouteSnapshot) => Promise<void>;

/**
 * Finds why a change of the routes is forbidden. Where the current routes are forbidden too, no change is: it may be a step
 * towards correct routes, and the next start refuses forbidden ones in any case.
 */
export async function findRouteRefusal(
  check: RouteCheck | undefined,
  before: RouteSnapshot,
  after: RouteSnapshot,
): Promise<BanyanError | undefined> {
  const refusal = await findRefusal(check, after);
  return refusal === undefined || (await findRefusal(check, before)) !== undefined ? undefined : refusal;
}

async function findRefusal(check: RouteCheck | undefined, routes: RouteSnapshot): Promise<BanyanError | undefined> {
  try {
    await check?.(routes);
    return undefined;
  } catch (error) {
    if (error instanceof BanyanError) return error;
    throw error;
  }
}
