import type { TargetRequest } from "@banyan/plugin-sdk";
import type { AccessPolicy } from "../access/decide-access.ts";
import type { RouteState } from "../access/route-state.ts";
import { decideInbound } from "./decide-inbound.ts";
import type { RouteTable } from "./route-message.ts";

export interface CommandSessionRules {
  readonly access: AccessPolicy;
  readonly routes: RouteTable;
  readonly routeState: Pick<RouteState, "picture">;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * The session on which a command of this sender would act there; `undefined` for whoever would be refused. Decided as for
 * a message, and nothing is stored.
 */
export function findCommandSession(
  { address, sender, guild }: Pick<TargetRequest, "address" | "sender" | "guild">,
  { access, routes, routeState, now }: CommandSessionRules,
): string | undefined {
  const message = { id: "", address, sender, text: "/kill", at: now, ...(guild === undefined ? {} : { guild }) };
  const commands = new Set(["kill"]);
  const { picture } = routeState;
  const decision = decideInbound(message, { access, routes, picture, commands, commandsWithMessage: new Set(), now });
  return decision.status === "accepted" ? decision.sessionKey : undefined;
}
