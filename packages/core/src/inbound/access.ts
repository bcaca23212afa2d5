/**
 * Who may talk to the agents. Decided by ids only, never by names:
 *   operator  on a channel where only the operator can write, everything is allowed
 *   bots      are refused unless listed, so that two bots cannot answer each other for ever
 *   DMs       by `dmPolicy`, the list `allowFrom` and the senders whom the operator approved
 *   groups    by the policy and its lists of chats and guilds, then by the mention rule; the sender does not matter.
 *             In a thread that belongs to a child session no mention is needed
 */
import {
  type Address,
  type AddressParts,
  type ChatKind,
  type InboundMessage,
  type InspectedGroups,
  parseAddress,
} from "@banyan/plugin-sdk";
import type { Audience } from "../turns/turn-parts.ts";
import type { RouteView } from "./route-state.ts";

/** The rules of one account. Ids are the platform's stable ones. */
export interface AccessPolicy {
  readonly dmPolicy: "pairing" | "allowlist" | "open" | "disabled";
  readonly allowFrom: ReadonlySet<string>;
  readonly groups: GroupAccess;
  /** Messages older than this on arrival are left out. 0: no limit. */
  readonly catchUpMs: number;
  /** Everyone who can write on this account is the operator. */
  readonly isOperatorOnly: boolean;
  /** The environment variable that can replace `allowFrom` in the configuration file. */
  readonly allowFromVariable?: string;
}

/** For groups and channels alike. */
export interface GroupAccess {
  readonly policy: "allowlist" | "open" | "disabled";
  readonly allow: ReadonlySet<string>;
  /** Guilds whose chats are all allowed. */
  readonly guilds: ReadonlySet<string>;
  /** Only messages addressed to the bot reach an agent. */
  readonly requireMention: boolean;
}

export type AccessDecision =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      readonly reason: "bot" | "group" | "not_addressed" | "dm_disabled" | "unknown_sender";
      /** An answer for the sender, in DMs only, at most once an hour. */
      readonly notice?: string;
      /** The sender gets a pairing code instead. */
      readonly offersPairing?: true;
    };

export interface AccessQuestion {
  readonly place: AddressParts;
  readonly message: Pick<InboundMessage, "sender" | "addressed" | "guild">;
  readonly isCommand: boolean;
  /** The place is a thread that was opened for a child session. */
  readonly isInChildThread: boolean;
}

/** No platform has longer ids. They would only fill the operator's screen. */
const MAX_PAIRED_ID_CHARS = 128;

export function decideAccess(
  policy: AccessPolicy,
  question: AccessQuestion,
  view: Pick<RouteView, "isApproved" | "listChatIds">,
): AccessDecision {
  const { place, message } = question;
  if (policy.isOperatorOnly) return { allowed: true };
  if (message.sender.isBot && !policy.allowFrom.has(message.sender.id)) return { allowed: false, reason: "bot" };
  if (place.kind === "dm") return decideDm(policy, place, message.sender.id, view);
  return decideGroup(policy.groups, question, view);
}

function decideDm(
  policy: AccessPolicy,
  place: AddressParts,
  senderId: string,
  view: Pick<RouteView, "isApproved">,
): AccessDecision {
  const { dmPolicy } = policy;
  if (dmPolicy === "disabled") return { allowed: false, reason: "dm_disabled" };
  if (dmPolicy === "open" || policy.allowFrom.has(senderId)) return { allowed: true };
  if (dmPolicy === "allowlist")
    return { allowed: false, reason: "unknown_sender", notice: formatRefusal(policy, place, senderId) };
  const id = senderId.trim();
  if (id === "" || !id.isWellFormed() || id.length > MAX_PAIRED_ID_CHARS)
    return { allowed: false, reason: "unknown_sender" };
  if (view.isApproved(place.channel, place.account, id)) return { allowed: true };
  return { allowed: false, reason: "unknown_sender", offersPairing: true };
}

function decideGroup(
  groups: GroupAccess,
  { place, message, isCommand, isInChildThread }: AccessQuestion,
  view: Pick<RouteView, "listChatIds">,
): AccessDecision {
  const { guild } = message;
  // The operator's list may name a chat by the id that it had before it moved.
  const isListed = () =>
    view.listChatIds(place.channel, place.chat).some((id) => groups.allow.has(id)) ||
    (guild !== undefined && groups.guilds.has(guild.trim()));
  const isAllowed = groups.policy === "open" || (groups.policy === "allowlist" && isListed());
  if (!isAllowed) return { allowed: false, reason: "group" };
  if (groups.requireMention && message.addressed !== true && !isCommand && !isInChildThread)
    return { allowed: false, reason: "not_addressed" };
  return { allowed: true };
}

function formatRefusal(policy: AccessPolicy, place: AddressParts, senderId: string): string {
  const line = `channels.${place.channel}.accounts.${place.account}.allowFrom: ["${senderId}"]`;
  const variable = policy.allowFromVariable ? ` (or ${policy.allowFromVariable}=${senderId})` : "";
  return `This bot is private. Your id here is ${senderId}; its owner can let you in with \`${line}\`${variable}.`;
}

/** Decides who can write at a place. A group's list allows the chat, not its people, so anyone there may write. */
export function decideAudience(
  { isOperatorOnly, dmPolicy }: Pick<AccessPolicy, "isOperatorOnly" | "dmPolicy">,
  kind: ChatKind,
): Audience {
  if (isOperatorOnly) return "known";
  return kind === "dm" && dmPolicy !== "open" ? "known" : "anybody";
}

/** Whether messages that are not addressed to the bot may be allowed. Then the platform must send all of a group's messages. */
export function needsAllMessages({ groups }: Pick<AccessPolicy, "groups">): boolean {
  if (groups.requireMention || groups.policy === "disabled") return false;
  return groups.policy === "open" || groups.allow.size + groups.guilds.size > 0;
}

/** Describes the groups of an account for the plugin that inspects it. */
export function describeGroups({ groups }: Pick<AccessPolicy, "groups">): InspectedGroups {
  const { policy, allow, guilds } = groups;
  return { policy, allow: [...allow], guilds: [...guilds] };
}

/** Refuses a plugin that speaks for another account: that account's rules would not apply. `attempted` begins the error. */
export function refuseForeignAddress(
  { channel, account }: { readonly channel: string; readonly account: string },
  address: Address,
  attempted: string,
): void {
  const place = parseAddress(address);
  if (place.channel === channel && place.account === account) return;
  throw new Error(
    `${attempted} for ${channel}/${account}: its address names another account, received ${place.channel}/${place.account}; build addresses with the plugin's id and context.account`,
  );
}
