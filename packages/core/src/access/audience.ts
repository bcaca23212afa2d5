import type { ChatKind } from "@banyan/plugin-sdk";
import type { AccessPolicy } from "./decide-access.ts";

/**
 * Who can write at a place: `known`, nobody but the operator and those whom he let in, in a direct chat; `anybody`, all else.
 * In a group the operator let the chat in, not the people.
 */
export type Audience = "known" | "anybody";

export function decideAudience(
  { isOperatorOnly, dmPolicy }: Pick<AccessPolicy, "isOperatorOnly" | "dmPolicy">,
  kind: ChatKind,
): Audience {
  if (isOperatorOnly) return "known";
  return kind === "dm" && dmPolicy !== "open" ? "known" : "anybody";
}
