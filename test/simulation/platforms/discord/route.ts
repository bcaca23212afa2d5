import type { OutboundMessage } from "@banyan/plugin-sdk";
import type { Call } from "../../../../plugins/discord/src/rest/discord-api.ts";
import type { CallName } from "../../world/fault-box.ts";

/** What is sent with a call that sends. */
export interface Written {
  readonly content?: string;
  readonly nonce?: string;
  readonly name?: string;
  readonly archived?: boolean;
}

/** A call as the platform reads it. */
export interface Request extends Pick<Call, "method" | "route" | "query"> {
  readonly body: Written;
  /** The part of a delivery that the call is for; the platform sees nothing of it. */
  readonly part: OutboundMessage | undefined;
}

const STARTER = "🌱 **";
const ID = /\d+/g;

export function nameCall({ method, route, body, part }: Request): Exclude<CallName, "any"> {
  if (method === "get") return route.endsWith("/messages") ? "read" : "look";
  if (method === "patch") return part === undefined ? "change" : "send";
  if (method === "delete") return "delete";
  if (route.endsWith("/threads")) return "thread";
  if (part !== undefined) return "send";
  return body.content?.startsWith(STARTER) ? "starter" : "line";
}

/** What has a limit of its own: the route, and the channel that it is about. */
export function nameLimit({ method, route }: Pick<Request, "method" | "route">): string {
  const [channel = ""] = route.match(ID) ?? [];
  return `${method} ${channel} ${route.replaceAll(ID, "*")}`;
}

/** The numbers in a route, in their order. */
export function readIds(route: string): readonly string[] {
  return route.match(ID) ?? [];
}
