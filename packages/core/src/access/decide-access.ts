import type { AddressParts, InboundMessage } from "@banyan/plugin-sdk";

/** Who may talk on one account. Ids are the platform's stable ones. */
export interface AccessPolicy {
  readonly dmPolicy: "allowlist" | "open" | "disabled";
  readonly allowFrom: ReadonlySet<string>;
  readonly groupPolicy: "disabled";
  /** Everybody who can write is the operator. */
  readonly isOperatorOnly: boolean;
  /** The environment variable that lets a sender in without a file. */
  readonly allowFromVariable?: string;
}

export type AccessDecision =
  | { readonly allowed: true }
  /** `tell` is for the sender, in DMs only, at most once an hour. */
  | { readonly allowed: false; readonly reason: RefusalReason; readonly tell?: string };

export type RefusalReason =
  | "bot"
  | "group"
  | "dm_disabled"
  | "unknown_sender"
  | "edited"
  | "empty"
  | "too_long"
  | "no_agent"
  | "failed";

/** Decides whether an agent may see a message. Pure; names are never looked at. */
export function decideAccess(policy: AccessPolicy, place: AddressParts, message: InboundMessage): AccessDecision {
  if (policy.isOperatorOnly) return { allowed: true };
  if (message.sender.isBot) return { allowed: false, reason: "bot" };
  if (place.kind !== "dm") return { allowed: false, reason: "group" };
  if (policy.dmPolicy === "disabled") return { allowed: false, reason: "dm_disabled" };
  if (policy.dmPolicy === "open" || policy.allowFrom.has(message.sender.id)) return { allowed: true };
  return { allowed: false, reason: "unknown_sender", tell: formatRefusal(policy, place, message.sender.id) };
}

function formatRefusal(policy: AccessPolicy, place: AddressParts, senderId: string): string {
  const line = `channels.${place.channel}.accounts.${place.account}.allowFrom: ["${senderId}"]`;
  const variable = policy.allowFromVariable ? ` (or ${policy.allowFromVariable}=${senderId})` : "";
  return `This bot is private. Your id here is ${senderId}; its owner can let you in with \`${line}\`${variable}.`;
}
