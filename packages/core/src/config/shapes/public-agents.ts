import type { AccountConfig, Config, RouteConfig } from "../config.ts";
import { isAgentListed } from "./agent-list.ts";

export interface PublicPlaceQuestion {
  /** Channels that the operator alone reaches. */
  readonly operatorOnly: readonly string[];
}

/**
 * Agents that work where anybody can write, by id, each with the account through which: direct chats under the policy
 * `open`, all groups and channels that are let in, and what the agents of those places may spawn. Pure. What a route's
 * guild, roles or peer let through is counted in.
 */
export function listPublicAgents(config: Config, { operatorOnly }: PublicPlaceQuestion): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const [channel, { accounts }] of Object.entries(config.channels)) {
    if (operatorOnly.includes(channel)) continue;
    for (const [account, access] of Object.entries(accounts)) {
      const agents = listAgentsAt({ channel, account, access }, config);
      for (const id of agents) addWithSpawned(id, `${channel}/${account}`, config.agents, found);
    }
  }
  return found;
}

interface Place {
  readonly channel: string;
  readonly account: string;
  readonly access: AccountConfig;
}

function listAgentsAt({ channel, account, access }: Place, config: Config): readonly string[] {
  const { enabled, dmPolicy, groups } = access;
  if (!enabled) return [];
  const hasGroups =
    groups.policy === "open" || (groups.policy === "allowlist" && groups.allow.length + groups.guilds.length > 0);
  const here = config.routes.filter(({ match }) => match.channel === channel && (match.account ?? account) === account);
  return [
    ...(dmPolicy === "open" ? listRouted(here, ["dm"], config.defaultAgent) : []),
    ...(hasGroups ? listRouted(here, ["group", "channel"], config.defaultAgent) : []),
  ];
}

/** Of all routes that such a chat may meet, up to the first that takes every one. */
function listRouted(routes: readonly RouteConfig[], kinds: readonly string[], defaultAgent: string): readonly string[] {
  const met = routes.filter(({ match: { peer } }) => peer === undefined || kinds.includes(peer.kind));
  const last = met.findIndex(({ match: { peer, guild } }) => peer === undefined && guild === undefined);
  return last < 0 ? [...met.map(({ agent }) => agent), defaultAgent] : met.slice(0, last + 1).map(({ agent }) => agent);
}

function addWithSpawned(id: string, place: string, agents: Config["agents"], found: Map<string, string>): void {
  const agent = agents[id];
  if (agent === undefined || found.has(id)) return;
  found.set(id, place);
  const spawned = Object.keys(agents).filter((other) => isAgentListed(agent.subagents?.allowAgents ?? [], other));
  for (const other of spawned) addWithSpawned(other, place, agents, found);
}
