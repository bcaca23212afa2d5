/** `/link` and `/unlink`: one person, several channels, by his own hand. */
import { isAddress } from "@banyan/plugin-sdk";
import type { LinkCodeRow, LinkEffect } from "@banyan/plugin-sdk/store";
import {
  decideLink,
  decideUnlink,
  findLink,
  formatPeerAccount,
  isSameAccount,
  type PeerAccount,
} from "../../access/link-book.ts";
import { formatOneTimeCode } from "../../access/one-time-code.ts";
import { type Command, type CommandContext, type CommandDecision, countOf } from "../../commands/command.ts";
import type { LinkFacts } from "../../commands/link-facts.ts";
import { formatRekeyCure } from "../../sessions/check-linked-writers.ts";
import { classifySessionKey } from "../../sessions/keys/session-key-kind.ts";

const CODE_TTL_MS = 10 * 60_000;
/** 40 bits, ten minutes and this many tries: nobody guesses a code. */
const MOST_FAILURES = 5;
const FAILURE_WINDOW_MS = 60 * 60_000;

const link: Command = {
  name: "link",
  usage: "/link [code]",
  summary: "one conversation on several channels",
  parameters: [{ name: "code", summary: "the code that another channel gave you", isRequired: false, kind: "text" }],
  isDmOnly: true,
  readsLinks: true,
  decide(context) {
    const shared = describeShared(context);
    if (shared !== undefined) return { answer: shared };
    const facts = getFacts(context);
    return context.rest === "" ? decideOffer(facts, context) : decideRedeem(facts);
  },
  decideElsewhere: (context) => decideShown(getFacts(context)),
};

const unlink: Command = {
  name: "unlink",
  usage: "/unlink",
  summary: "this account on its own again",
  isDmOnly: true,
  readsLinks: true,
  decide(context) {
    const shared = describeShared(context);
    const facts = getFacts(context);
    return shared === undefined ? decideParting(facts) : { answer: shared, link: voidOffer(facts) };
  },
};

export const LINK_COMMANDS: readonly Command[] = [link, unlink];

/** Where all direct chats are one conversation, links change nothing. */
function describeShared({ record }: CommandContext): string | undefined {
  const kind = classifySessionKey(record.key);
  if (kind !== "main" && kind !== "global") return undefined;
  return "All direct chats are one conversation here already, so links change nothing.";
}

function decideOffer({ self, book, revision, newCode }: LinkFacts, { address }: CommandContext): CommandDecision {
  const code = formatOneTimeCode(newCode);
  const person = findLink(book, self)?.person;
  const known = person === undefined ? "" : ` You are linked as \`${person}\`; the other account joins you.`;
  return {
    answer: [
      `Your code is **${code}**. Send \`/link ${code}\` to me from your other channel within ${CODE_TTL_MS / 60_000} minutes.${known}`,
      "The person who sends it shares this conversation with you from then on, so show it to no one.",
    ].join("\n"),
    link: {
      routeRevision: revision,
      writes: [],
      offer: { code: newCode, channel: self.channel, peer: self.peer, address, ttlMs: CODE_TTL_MS },
    },
  };
}

/** Others have read a code that was sent where they read along, so it holds no more. */
function decideShown({ offer, revision }: LinkFacts): CommandDecision | undefined {
  if (offer === undefined) return undefined;
  return {
    answer:
      "/link works in a direct chat with me alone. Others can read here, so the code that you sent is void now; send /link in a direct chat for a new one.",
    link: { routeRevision: revision, redeem: offer.code, writes: [] },
  };
}

function decideRedeem(facts: LinkFacts): CommandDecision {
  const { self, offer, code, failures } = facts;
  if (failures >= MOST_FAILURES)
    return { answer: "You have sent too many wrong codes; none is taken from you for an hour." };
  if (code === undefined)
    return { answer: "That is no code: it has eight letters and digits. Send `/link` in the other channel for one." };
  if (offer === undefined) return refuseCode(facts);
  if (isSameAccount(offer, self))
    return { answer: "That is this account's own code: send it from your other channel." };
  return joinAccounts(facts, offer, code);
}

/** Codes are not told apart from those that have expired: neither says anything of the other one. */
function refuseCode({ self, revision, failures }: LinkFacts): CommandDecision {
  const left = MOST_FAILURES - failures - 1;
  const tries = left === 0 ? "None is taken from you for an hour now." : `${countOf(left, "try", "tries")} left.`;
  return {
    answer: `That code is wrong, used or expired. ${tries} Send \`/link\` in the other channel for a new one.`,
    link: { routeRevision: revision, writes: [], failure: { ...self, windowMs: FAILURE_WINDOW_MS } },
  };
}

function joinAccounts(facts: LinkFacts, offer: LinkCodeRow, code: string): CommandDecision {
  const { self, book, revision, newName, writers } = facts;
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
          routeRevision: revision,
          redeem: code,
          writes,
          expectWriters: expectWriters(facts),
          audit: formatAudit("link", self, `${person}: ${[offer, self].map(formatPeerAccount).join(" ")}`),
        },
      };
    }
  }
}

function decideParting(facts: LinkFacts): CommandDecision {
  const { self, book, writers, newName } = facts;
  const hasWritten = writers.some(({ accounts }) => accounts.some((account) => isSameAccount(account, self)));
  const decision = decideUnlink(book, self, { hasWritten, newName });
  const account = formatPeerAccount(self);
  // Whoever parts his account wants nobody to join it by a code that is still on its way.
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
      const others = decision.goesOn?.accounts ?? [];
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

function voidOffer({ self, revision }: LinkFacts): LinkEffect {
  return { routeRevision: revision, writes: [], voidOffer: self };
}

/** The conversations as they were looked at: nobody else's first message may slip in before the links change. */
function expectWriters({ writers }: LinkFacts): NonNullable<LinkEffect["expectWriters"]> {
  return { sessionKeys: writers.map(({ key }) => key), writers: writers.flatMap(({ accounts }) => accounts) };
}

function formatAudit(action: string, self: PeerAccount, detail: string): NonNullable<LinkEffect["audit"]> {
  return { actor: formatPeerAccount(self), action, detail };
}

function getFacts({ links }: CommandContext): LinkFacts {
  if (links === undefined) throw new Error("A command about links was decided: its facts were not read");
  return links;
}
