import type { AgentConfig, RouteConfig, RouteMatch } from "../config.ts";
import type { ConfigPath } from "../problems/config-path.ts";
import type { ConfigProblem } from "../problems/config-problem.ts";
import { checkAgentId } from "./agent-list.ts";
import { checkName } from "./config-name.ts";
import type { RouteInput } from "./define-config.ts";
import { checkPlatformId } from "./platform-id.ts";

/** A peer says more than roles, these more than their guild, a guild more than an account, whatever else a match names. */
const WEIGHTS = { peer: 8, roles: 4, guild: 2, account: 1 } as const;

/** Builds the routes in the order they are asked: the most exact match first, equals as they are written. */
export function buildRoutes(
  input: readonly RouteInput[],
  agents: Readonly<Record<string, AgentConfig>>,
): { readonly routes: readonly RouteConfig[]; readonly problems: readonly ConfigProblem[] } {
  const routes = input.map(buildRoute).sort((one, other) => weigh(other.match) - weigh(one.match));
  return { routes, problems: input.flatMap((route, at) => checkRoute(route, ["routes", at], Object.keys(agents))) };
}

function buildRoute(route: RouteInput): RouteConfig {
  const { channel, account, guild, roles, peer } = route.match;
  return {
    agent: route.agent,
    match: {
      channel,
      ...(account !== undefined && { account }),
      ...(guild !== undefined && { guild: String(guild).trim() }),
      ...(roles !== undefined && { roles: [...new Set(roles.map((role) => String(role).trim()))] }),
      ...(peer !== undefined && { peer: { kind: peer.kind, id: String(peer.id).trim() } }),
    },
    ...(route.session !== undefined && { session: route.session }),
  };
}

function weigh({ peer, roles, guild, account }: RouteMatch): number {
  return (
    (peer === undefined ? 0 : WEIGHTS.peer) +
    (roles === undefined ? 0 : WEIGHTS.roles) +
    (guild === undefined ? 0 : WEIGHTS.guild) +
    (account === undefined ? 0 : WEIGHTS.account)
  );
}

function checkRoute(route: RouteInput, path: ConfigPath, agents: readonly string[]): readonly ConfigProblem[] {
  const { channel, account, guild, roles = [], peer } = route.match;
  const match = [...path, "match"];
  return [
    ...checkAgentId(route.agent, [...path, "agent"], agents),
    ...checkName("channel", channel, [...match, "channel"]),
    ...(account === undefined ? [] : checkName("account", account, [...match, "account"])),
    ...(guild === undefined ? [] : checkPlatformId(guild, [...match, "guild"])),
    ...(route.match.roles === undefined || guild !== undefined ? [] : [buildLoneRoles([...match, "roles"])]),
    ...roles.flatMap((role, at) => checkPlatformId(role, [...match, "roles", at])),
    ...(peer === undefined ? [] : checkPlatformId(peer.id, [...match, "peer", "id"])),
  ];
}

function buildLoneRoles(path: ConfigPath): ConfigProblem {
  const cure = "set guild to the server that has these roles";
  return { path, wrong: "roles need a guild", cure };
}
