import type { RouteSnapshot } from "@banyan/store";
import type { DmScope } from "../../sessions/keys/dm-scope.ts";
import { type IdentityLinks, joinIdentityLinks, parseIdentityLinks } from "../../sessions/keys/identity-links.ts";
import type { AccountConfig, Config, RouteConfig } from "../config.ts";
import { buildProblemsError, type ConfigProblem } from "../problems/config-problem.ts";

/** A sender whose DMs reach an agent: one known id, or whoever else may come. */
export interface DmSender {
  readonly channel: string;
  readonly account: string;
  /** `undefined` stands for everybody whom nothing names. */
  readonly id: string | undefined;
  /** Under `pairing` and `allowlist` nobody unnamed may write, until he is let in. */
  readonly isAllowed: boolean;
}

/** What is known only once the plugins and the store are open. */
export interface DmScopeSurroundings {
  /** Channels that the operator alone reaches: they do not count. */
  readonly operatorOnly?: readonly string[];
  /** Who was let in, and who is whom besides the configuration's links. */
  readonly routes?: Pick<RouteSnapshot, "approved" | "links">;
}

/**
 * Decides whether the DM scope would let several people share one conversation. Pure; empty when all is well.
 * - `main`, and `scope: "global"`: at most one allowed sender, and no `open` policy
 * - `per-peer`: at most one channel with DMs, because equal ids of different platforms meet there
 *
 * A linked person is one sender.
 */
export function checkDmScope(config: Config, around: DmScopeSurroundings = {}): readonly ConfigProblem[] {
  if (config.session.acceptSharedDm) return [];
  const senders = listDmSenders(config, around);
  const links = joinIdentityLinks(parseIdentityLinks(config.session.identityLinks), around.routes?.links ?? []);
  if (config.session.scope === "global") return checkOnePerson(links, senders, ["session", "scope"], "global");
  const withScope = (scope: DmScope) => senders.filter((sender) => findDmRoute(config, sender).dmScope === scope);
  return [
    ...checkOnePerson(links, withScope("main"), ["session", "dmScope"], "main"),
    ...checkOneChannel(withScope("per-peer")),
  ];
}

/**
 * Throws `shared_dm_refused` with all problems of `checkDmScope`. Called at start, when the plugins are known, and before
 * somebody else is let in.
 */
export function refuseSharedDm(config: Config, around: DmScopeSurroundings = {}): void {
  const problems = checkDmScope(config, around);
  if (problems.length > 0) throw buildProblemsError(problems, { title: "the DM scope" }, "shared_dm_refused");
}

/** All that the accounts of the configuration know of, on channels that others than the operator reach. */
export function listDmSenders(config: Config, around: DmScopeSurroundings): readonly DmSender[] {
  const { operatorOnly = [], routes: { approved } = { approved: [] } } = around;
  return Object.entries(config.channels).flatMap(([channel, { accounts }]) =>
    operatorOnly.includes(channel)
      ? []
      : Object.entries(accounts).flatMap(([account, access]) => {
          const letIn = approved.filter((one) => one.channel === channel && one.account === account);
          const ids = letIn.map(({ senderId }) => senderId);
          return listSenders(channel, account, access, { routes: config.routes, approved: ids });
        }),
  );
}

/** Ids that routes name are told apart from the unnamed, as they may have another scope. */
function listSenders(
  channel: string,
  account: string,
  access: AccountConfig,
  { routes, approved }: { readonly routes: readonly RouteConfig[]; readonly approved: readonly string[] },
): readonly DmSender[] {
  if (!access.enabled || access.dmPolicy === "disabled") return [];
  const isOpen = access.dmPolicy === "open";
  const routed = routes.flatMap(({ match }) => {
    const isHere = match.channel === channel && (match.account ?? account) === account;
    return isHere && match.peer?.kind === "dm" ? [match.peer.id] : [];
  });
  const letIn = access.dmPolicy === "pairing" ? approved : [];
  const named = isOpen ? routed : [...access.allowFrom, ...letIn];
  return [
    ...named.map((id) => ({ channel, account, id, isAllowed: true })),
    { channel, account, id: undefined, isAllowed: isOpen },
  ];
}

/** What the first matching route gives. A DM is in no guild, so a route for one never matches it. */
export function findDmRoute(config: Config, sender: DmSender): { readonly agentId: string; readonly dmScope: DmScope } {
  const route = config.routes.find(({ match }) => {
    const isThere = match.channel === sender.channel && (match.account ?? sender.account) === sender.account;
    const isPeer = match.peer === undefined || (match.peer.kind === "dm" && match.peer.id === sender.id);
    return isThere && isPeer && match.guild === undefined;
  });
  return {
    agentId: route?.agent ?? config.defaultAgent,
    dmScope: route?.session?.dmScope ?? config.session.dmScope,
  };
}

function checkOnePerson(
  links: IdentityLinks,
  senders: readonly DmSender[],
  path: readonly string[],
  scope: string,
): readonly ConfigProblem[] {
  const allowed = senders.filter((sender) => sender.isAllowed);
  const persons = new Set(
    allowed.map(({ channel, id }) => (id === undefined ? undefined : (links.find(channel, id) ?? `${channel}:${id}`))),
  );
  const cure = "use dmScope per-channel-peer, or set session.acceptSharedDm: true if they may read each other";
  const open = allowed.find((sender) => sender.id === undefined);
  if (open !== undefined) {
    const wrong = `the scope ${scope} is one conversation, and anyone may write to ${open.channel}/${open.account}`;
    return [{ path, wrong, received: 'dmPolicy "open"', cure }];
  }
  if (persons.size <= 1) return [];
  const wrong = `the scope ${scope} is one conversation, and several people would share it`;
  const linkCure = `${cure}; link them in session.identityLinks if they are one person`;
  return [{ path, wrong, received: `${persons.size} allowed senders`, cure: linkCure }];
}

function checkOneChannel(senders: readonly DmSender[]): readonly ConfigProblem[] {
  const channels = [...new Set(senders.map((sender) => sender.channel))];
  if (channels.length <= 1) return [];
  return [
    {
      path: ["session", "dmScope"],
      wrong: "per-peer tells people apart by their ids alone, and ids of different channels may be equal",
      received: channels.join(", "),
      cure: "use per-channel-peer with identityLinks, or set session.acceptSharedDm: true",
    },
  ];
}
