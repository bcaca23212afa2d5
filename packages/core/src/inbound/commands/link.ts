/** `/link` and `/unlink`: people link their accounts on several channels as one person, with a one-time code. */
import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { LinkCodeRow, LinkEffect, WriterRow } from "@banyan/store";
import {
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandFace,
  countOf,
} from "../../commands/command.ts";
import type { Ports } from "../../ports/ports.ts";
import { formatRekeyCure } from "../../sessions/check-linked-writers.ts";
import type { IdentityLinks } from "../../sessions/keys/identity-links.ts";
import { createPersonName } from "../../sessions/keys/person-name.ts";
import { classifySessionKey } from "../../sessions/keys/session-key-kind.ts";
import { buildSessionKey } from "../../sessions/keys/session-key-parts.ts";
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
  type RouteCheck,
} from "../links.ts";
import { createOneTimeCode, formatOneTimeCode, parseOneTimeCode } from "../pairing.ts";
import type { RouteState, RouteView } from "../route-state.ts";

const CODE_TTL_MS = 10 * 60_000;
/** A code has 40 bits: with so few tries in ten minutes it cannot be guessed. */
const MAX_FAILURES = 5;
const FAILURE_WINDOW_MS = 60 * 60_000;
const REFUSED_LINKS =
  "That is not done: direct chats share one conversation here, and one person would read in it what another has written. Its operator can separate the conversations first.";

const LINK_FACE: CommandFace = {
  name: "link",
  usage: "/link [code]",
  summary: "one conversation on several channels",
  parameters: [{ name: "code", summary: "the code that another channel gave you", isRequired: false, kind: "text" }],
  isDmOnly: true,
};

const UNLINK_FACE: CommandFace = {
  name: "unlink",
  usage: "/unlink",
  summary: "this account on its own again",
  isDmOnly: true,
};

export const LINK_FACES: readonly CommandFace[] = [LINK_FACE, UNLINK_FACE];

export interface LinkParts {
  readonly ports: Pick<Ports, "randomBytes">;
  readonly routeState: Pick<RouteState, "refresh">;
  readonly configuredLinks: IdentityLinks;
  /** The agents with which a linked person may have a session. */
  readonly agentIds: readonly string[];
  /** Called before links change. */
  readonly checkRoutes?: RouteCheck | undefined;
}

export function createLinkCommands(parts: LinkParts): readonly Command[] {
  return [
    {
      ...LINK_FACE,
      async decide(context) {
        const shared = describeShared(context);
        if (shared !== undefined) return { answer: shared };
        const facts = await readLinkFacts(context, parts);
        if (context.rest === "") return decideOffer(facts, context);
        return allowLink(decideRedeem(facts), facts, parts);
      },
      decideElsewhere: async (context) => decideShown(await readLinkFacts(context, parts)),
    },
    {
      ...UNLINK_FACE,
      async decide(context) {
        const facts = await readLinkFacts(context, parts);
        const shared = describeShared(context);
        if (shared !== undefined) return { answer: shared, link: voidOffer(facts) };
        return allowLink(decideUnlinking(facts), facts, parts);
      },
    },
  ];
}

/** What the commands decide on, read at one revision of the routes. The store refuses the effect at another one. */
interface LinkFacts {
  readonly view: RouteView;
  readonly book: LinkBook;
  /** The account that sent the command. */
  readonly self: PeerAccount;
  /** The code that was sent, if it has the form of one. */
  readonly code: string | undefined;
  /** The account that was given this code. */
  readonly offer: LinkCodeRow | undefined;
  /** Wrong codes that this account has sent within the window. */
  readonly failures: number;
  /** Who has written in the sessions of the persons concerned. */
  readonly writers: readonly PersonWriters[];
  readonly newCode: string;
  readonly newName: string;
}

interface PersonWriters {
  readonly person: string;
  readonly key: string;
  readonly accounts: readonly WriterRow[];
}

async function readLinkFacts({ address, body, rest, read }: CommandContext, parts: LinkParts): Promise<LinkFacts> {
  const { ports, routeState, configuredLinks, agentIds } = parts;
  const view = await routeState.refresh();
  const book = buildLinkBook(configuredLinks, view.snapshot.links);
  const self = { channel: parseAddress(address).channel, peer: body.sender.id.trim() };
  const code = parseOneTimeCode(rest);
  const names = { newCode: createOneTimeCode(ports), newName: createPersonName(ports) };
  const { offer, failures } = await read.linkDesk({ ...self, code: code ?? "" });
  const accounts = offer === undefined ? [self] : [self, offer];
  const persons = new Set(accounts.flatMap((account) => findLink(book, account)?.person ?? []));
  const writers = await Promise.all(
    [...persons].flatMap((person) =>
      agentIds.map(async (agentId) => {
        const key = buildSessionKey({ agentId, kind: "dm", peer: person });
        return { person, key, accounts: await read.writers(key) };
      }),
    ),
  );
  return { view, book, self, code, offer, failures, writers, ...names };
}

/** Refuses links by which people would share a session that they must not share. */
async function allowLink(
  decision: CommandDecision,
  { view: { snapshot } }: LinkFacts,
  { checkRoutes }: LinkParts,
): Promise<CommandDecision> {
  const writes = decision.link?.writes ?? [];
  if (writes.length === 0) return decision;
  const refusal = await findRouteRefusal(checkRoutes, snapshot, buildLinkedRoutes(snapshot, writes));
  return refusal === undefined ? decision : { answer: REFUSED_LINKS };
}

/** If all direct chats share one session, links have no effect. */
function describeShared({ record }: CommandContext): string | undefined {
  const kind = classifySessionKey(record.key);
  if (kind !== "main" && kind !== "global") return undefined;
  return "All direct chats are one conversation here already, so links change nothing.";
}

function decideOffer({ self, book, view, newCode }: LinkFacts, { address }: CommandContext): CommandDecision {
  const code = formatOneTimeCode(newCode);
  const person = findLink(book, self)?.person;
  const known = person === undefined ? "" : ` You are linked as \`${person}\`; the other account joins you.`;
  return {
    answer: [
      `Your code is **${code}**. Send \`/link ${code}\` to me from your other channel within ${CODE_TTL_MS / 60_000} minutes.${known}`,
      "The person who sends it shares this conversation with you from then on, so show it to no one.",
    ].join("\n"),
    link: {
      routeRevision: view.revision,
      writes: [],
      offer: { code: newCode, channel: self.channel, peer: self.peer, address, ttlMs: CODE_TTL_MS },
    },
  };
}

/** Voids a code that was sent where others can read it. */
function decideShown({ offer, view }: LinkFacts): CommandDecision | undefined {
  if (offer === undefined) return undefined;
  return {
    answer:
      "/link works in a direct chat with me alone. Others can read here, so the code that you sent is void now; send /link in a direct chat for a new one.",
    link: { routeRevision: view.revision, redeem: offer.code, writes: [] },
  };
}

function decideRedeem(facts: LinkFacts): CommandDecision {
  const { self, offer, code, failures } = facts;
  if (failures >= MAX_FAILURES)
    return { answer: "You have sent too many wrong codes; none is taken from you for an hour." };
  if (code === undefined)
    return { answer: "That is no code: it has eight letters and digits. Send `/link` in the other channel for one." };
  if (offer === undefined) return refuseCode(facts);
  if (isSameAccount(offer, self))
    return { answer: "That is this account's own code: send it from your other channel." };
  return joinAccounts(facts, offer, code);
}

/** The same answer for a wrong and an expired code, so that it does not reveal which codes existed. */
function refuseCode({ self, view, failures }: LinkFacts): CommandDecision {
  const left = MAX_FAILURES - failures - 1;
  const tries = left === 0 ? "None is taken from you for an hour now." : `${countOf(left, "try", "tries")} left.`;
  return {
    answer: `That code is wrong, used or expired. ${tries} Send \`/link\` in the other channel for a new one.`,
    link: { routeRevision: view.revision, writes: [], failure: { ...self, windowMs: FAILURE_WINDOW_MS } },
  };
}

function joinAccounts(facts: LinkFacts, offer: LinkCodeRow, code: string): CommandDecision {
  const { self, book, view, newName, writers } = facts;
  const decision = decideLink(book, [offer, self], { newName });
  switch (decision.status) {
    case "already":
      return { answer: `Both accounts are linked as \`${decision.person}\` already.` };
    case "other_person":
      return {
        answer: `The other account is linked as \`${decision.person}\`, this one as \`${decision.account.person}\`. Send /unlink in one of them first.`,
      };
    case "linked": {
      const { person, writes } = decision;
      const isOfPerson = (account: PeerAccount) =>
        findLink(book, account)?.person === person || writes.some((write) => isSameAccount(write, account));
      const foreign = writers.find(
        (each) => each.person === person && !each.accounts.every((account) => isOfPerson(account)),
      );
      if (foreign !== undefined)
        return {
          answer: `Not linked: the conversation of \`${person}\` holds what an account wrote that is not linked to that name. Its operator can move it away: \`${formatRekeyCure(foreign.key)}\``,
        };
      return {
        answer: `Linked: this account and ${formatPeerAccount(offer)} are one conversation now, under the name \`${person}\`. /unlink undoes it.`,
        notices: isAddress(offer.address)
          ? [
              {
                address: offer.address,
                text: `Linked: this account and ${formatPeerAccount(self)} are one conversation now, under the name \`${person}\`. If that was not you, send /unlink.`,
              },
            ]
          : [],
        link: {
          routeRevision: view.revision,
          redeem: code,
          writes,
          expectWriters: expectWriters(facts),
          audit: formatAudit("link", self, `${person}: ${[offer, self].map(formatPeerAccount).join(" ")}`),
        },
      };
    }
  }
}

function decideUnlinking(facts: LinkFacts): CommandDecision {
  const { self, book, writers, newName } = facts;
  const hasWritten = writers.some(({ accounts }) => accounts.some((account) => isSameAccount(account, self)));
  const decision = decideUnlink(book, self, { hasWritten, newName });
  const account = formatPeerAccount(self);
  // An open code of this account must not link it again.
  const voided = voidOffer(facts);
  switch (decision.status) {
    case "not_linked":
      return { answer: "This account is not linked.", link: voided };
    case "configured":
      return {
        answer: `This link is in the configuration: \`session.identityLinks.${decision.link.person}\` names \`${account}\`. Its operator can remove that entry.`,
        link: voided,
      };
    case "has_written": {
      const { person } = decision.link;
      const cures = writers.filter((each) => each.person === person).map(({ key }) => `\`${formatRekeyCure(key)}\``);
      return {
        answer: `The conversation of \`${person}\` holds what you wrote, and that name is the configuration's. Its operator can move it away and part you: ${cures.join(", ")}, then \`banyan link remove ${account}\`.`,
        link: voided,
      };
    }
    case "unlinked": {
      const others = decision.remaining?.accounts ?? [];
      const rest =
        others.length === 0 ? "" : ` ${others.map(formatPeerAccount).join(" and ")} stay linked without you.`;
      return {
        answer: `Unlinked: this account is on its own again.${rest} The conversation you shared is kept, but no one continues it.`,
        link: {
          ...voided,
          writes: decision.writes,
          expectWriters: expectWriters(facts),
          audit: formatAudit("unlink", self, `${decision.person}: ${account}`),
        },
      };
    }
  }
}

function voidOffer({ self, view }: LinkFacts): LinkEffect {
  return { routeRevision: view.revision, writes: [], voidOffer: self };
}

/** The store refuses the links if someone else has written in these sessions since they were read. */
function expectWriters({ writers }: LinkFacts): NonNullable<LinkEffect["expectWriters"]> {
  return { sessionKeys: writers.map(({ key }) => key), writers: writers.flatMap(({ accounts }) => accounts) };
}

function formatAudit(action: string, self: PeerAccount, detail: string): NonNullable<LinkEffect["audit"]> {
  return { actor: formatPeerAccount(self), action, detail };
}
