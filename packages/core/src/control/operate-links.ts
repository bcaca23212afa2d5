import type { ExpectedWriters, LinkRow, LinkWrite, Store } from "@banyan/store";
import {
  buildLinkBook,
  buildLinkedRoutes,
  decideLink,
  decideUnlink,
  findLink,
  findRouteRefusal,
  formatPeerAccount,
  isSameAccount,
  type LinkBook,
  type PeerAccount,
  preferStored,
  type RouteCheck,
} from "../inbound/links.ts";
import { commitStep } from "../ports/commit-step.ts";
import { BanyanError } from "../ports/errors.ts";
import type { Ports } from "../ports/ports.ts";
import { formatForeignWriting, formatRekeyCure, readPersonWriters } from "../sessions/check-linked-writers.ts";
import { type IdentityLinks, parseLinkedAccount } from "../sessions/keys/identity-links.ts";
import { createPersonName } from "../sessions/keys/person-name.ts";
import { isPlainName } from "../sessions/keys/plain-name.ts";

/** An operator's hand on who is whom. Accounts are written `channel:id`. */
export interface LinkOperations {
  add(accounts: readonly string[], name: string | undefined, actor: string): Promise<AddedLink>;
  remove(account: string, actor: string): Promise<RemovedLink>;
}

export interface AddedLink {
  readonly person: string;
  /** All of the person's accounts now. */
  readonly accounts: readonly string[];
  /** Everything stood so before. */
  readonly isOld: boolean;
}

export interface RemovedLink {
  readonly account: string;
  readonly person: string;
  /** The name under which the person's other accounts go on. */
  readonly goesOnAs?: string;
  /** Accounts that are linked to nothing any more beside this one. */
  readonly alone?: string;
}

export interface LinkOperationParts {
  readonly store: Pick<Store, "commit" | "read">;
  readonly ports: Pick<Ports, "randomBytes" | "faultPoint">;
  readonly configuredLinks: IdentityLinks;
  readonly agentIds: readonly string[];
  /** Asked before each change. */
  readonly checkRoutes?: RouteCheck | undefined;
  /** The links have changed. */
  refresh(): Promise<unknown>;
}

const MOST_STALE = 5;

export function createLinkOperations(parts: LinkOperationParts): LinkOperations {
  return {
    add: (given, name, actor) => {
      if (name !== undefined && !isPlainName(name))
        throw new BanyanError(
          "invalid_identity_links",
          `Linking accounts: the name begins with a-z or 0-9, then has up to 63 of a-z, 0-9, _ and -, received ${JSON.stringify(name)}; choose another`,
        );
      const accounts = given.map(parseLinkedAccount);
      return settle(parts, (book) => add(book, accounts, name, parts), { action: "link-add", actor });
    },
    remove: (given, actor) => {
      const account = parseLinkedAccount(given);
      const decide = (book: LinkBook, stored: readonly LinkRow[]) =>
        remove(preferStored(book, stored, account), account, parts);
      return settle(parts, decide, { action: "link-remove", actor });
    },
  };
}

interface Change<Result> {
  readonly writes: readonly LinkWrite[];
  readonly detail: string;
  readonly result: Result;
  /** What was looked at, for the store to refuse it where somebody else has written meanwhile. */
  readonly expectWriters?: ExpectedWriters;
}

/** Decides on the links as they stand, and again where they changed meanwhile. */
async function settle<Result>(
  { store, ports, configuredLinks, checkRoutes, refresh }: LinkOperationParts,
  decide: (book: LinkBook, stored: readonly LinkRow[]) => Promise<Change<Result>>,
  audit: { readonly action: string; readonly actor: string },
): Promise<Result> {
  for (let tries = 1; tries <= MOST_STALE; tries += 1) {
    const routes = await store.read.routes();
    const { writes, detail, result, expectWriters } = await decide(
      buildLinkBook(configuredLinks, routes.links),
      routes.links,
    );
    if (writes.length === 0) return result;
    const refusal = await findRouteRefusal(checkRoutes, routes, buildLinkedRoutes(routes, writes));
    if (refusal !== undefined)
      throw new BanyanError(refusal.code, `The links were to be changed (${detail}): ${refusal.message}`, {
        cause: refusal,
      });
    ports.faultPoint("links.before");
    const expected = expectWriters === undefined ? {} : { expectWriters };
    const fence = { routeRevision: routes.revision, ...expected };
    const step = { step: "set_links", ...fence, writes, audit: { ...audit, detail } } as const;
    const { status } = await commitStep(store, step);
    ports.faultPoint("links.after");
    if (status === "refused") continue;
    await refresh();
    return result;
  }
  throw new BanyanError(
    "store_conflict",
    `Links were changed: they changed ${MOST_STALE} times at the same time; try again`,
  );
}

async function add(
  book: LinkBook,
  accounts: readonly PeerAccount[],
  asked: string | undefined,
  { store, ports, agentIds }: LinkOperationParts,
): Promise<Change<AddedLink>> {
  const decision = decideLink(book, accounts, { asked, newName: createPersonName(ports) });
  const { person } = decision;
  if (decision.status === "other_person") {
    const { account } = decision;
    throw new BanyanError(
      "invalid_identity_links",
      `Linking accounts as ${person}: ${formatPeerAccount(account)} is linked as ${account.person}; ${describeRemoval(account)} first`,
    );
  }
  const writes = decision.status === "already" ? [] : decision.writes;
  const all = [...book.filter((link) => link.person === person), ...writes];
  if (all.length < 2)
    throw new BanyanError(
      "invalid_identity_links",
      `Linking accounts${asked === undefined ? "" : ` as ${asked}`}: one account cannot be linked, received ${accounts.map(formatPeerAccount).join(" ")}; name two or more`,
    );
  const expectWriters = await readPersonWriters(store.read, person, agentIds);
  const foreign = expectWriters.writers.find((writer) => !all.some((account) => isSameAccount(account, writer)));
  if (foreign !== undefined) throw new BanyanError("foreign_writers", formatForeignWriting({ ...foreign, person }));
  const names = all.map(formatPeerAccount);
  const result = { person, accounts: names, isOld: writes.length === 0 };
  return { writes, detail: `${person}: ${writes.map(formatPeerAccount).join(" ")}`, result, expectWriters };
}

async function remove(
  book: LinkBook,
  account: PeerAccount,
  { store, ports, agentIds }: LinkOperationParts,
): Promise<Change<RemovedLink>> {
  const person = findLink(book, account)?.person;
  const expectWriters = await readPersonWriters(store.read, person, agentIds);
  const written = expectWriters.writers.filter((writer) => isSameAccount(writer, account));
  const names = { hasWritten: written.length > 0, newName: createPersonName(ports) };
  const decision = decideUnlink(book, account, names);
  const name = formatPeerAccount(account);
  switch (decision.status) {
    case "not_linked":
      throw new Error(`Parting ${name}: it is not linked; banyan link list shows who is`);
    case "configured":
      throw new Error(`Parting ${name}: ${describeRemoval(decision.link)}`);
    case "has_written":
      throw new BanyanError(
        "foreign_writers",
        `Parting ${name}: the conversation of ${person} holds what it wrote, and that name is the configuration's; move the conversation away first: ${written.map(({ sessionKey }) => formatRekeyCure(sessionKey)).join(", ")}`,
      );
    case "unlinked": {
      const { remaining, alone, writes } = decision;
      const result = {
        account: name,
        person: decision.person,
        ...(remaining === undefined ? {} : { goesOnAs: remaining.person }),
        ...(alone === undefined ? {} : { alone: formatPeerAccount(alone) }),
      };
      return { writes, detail: `${decision.person}: ${name}`, result, expectWriters };
    }
  }
}

function describeRemoval(link: PeerAccount & { readonly person: string; readonly isConfigured: boolean }): string {
  const account = formatPeerAccount(link);
  return link.isConfigured
    ? `take "${account}" out of session.identityLinks.${link.person} in the configuration`
    : `banyan link remove ${account}`;
}
