/**
 * Who may talk. Pure; names are never looked at.
 *   operator  where the operator alone can write, everything is let in
 *   bots      are refused unless they are on the list, so that two of them never talk for ever
 *   DMs       the policy, the list, those whom the operator let in
 *   groups    the policy and the lists of chats and servers, then the mention gate (not in a child's thread: there people talk with it);
 *             whoever may write there may talk
 */
import type { AddressParts, InboundMessage, InspectedGroups } from "@banyan/plugin-sdk";
import type { RoutePicture } from "./route-state.ts";

/** Who may talk on one account. Ids are the platform's stable ones. */
export interface AccessPolicy {
  readonly dmPolicy: "pairing" | "allowlist" | "open" | "disabled";
  readonly allowFrom: ReadonlySet<string>;
  readonly groups: GroupAccess;
  /** Messages that are older when they come in are left out; 0: none is. */
  readonly catchUpMs: number;
  /** Everybody who can write is the operator. */
  readonly isOperatorOnly: boolean;
  /** The environment variable that lets a sender in without a file. */
  readonly allowFromVariable?: string;
}

/** Groups and channels alike. */
export interface GroupAccess {
  readonly policy: "allowlist" | "open" | "disabled";
  readonly allow: ReadonlySet<string>;
  /** Servers whose chats are all on the list. */
  readonly guilds: ReadonlySet<string>;
  /** Only what is addressed to the bot reaches an agent. */
  readonly requireMention: boolean;
}

export type AccessDecision =
  | { readonly allowed: true }
  /** `tell` is for the sender, in DMs only, at most once an hour; `offersPairing` gives him a code instead. */
  | {
      readonly allowed: false;
      readonly reason: RefusalReason;
      readonly tell?: string;
      readonly offersPairing?: true;
    };

export type RefusalReason =
  | "bot"
  | "group"
  | "not_addressed"
  | "dm_disabled"
  | "unknown_sender"
  | "edited"
  | "empty"
  | "too_long"
  | "too_old"
  | "no_agent"
  | "failed";

/** What of a message decides about access. */
export interface AccessQuestion {
  readonly place: AddressParts;
  readonly message: Pick<InboundMessage, "sender" | "addressed" | "guild">;
  /** Its text is a command of the host. */
  readonly isCommand: boolean;
  /** It stands in a thread that was opened for a child session. */
  readonly isInChildThread: boolean;
}

/** Longer ids are no platform's; they would only fill the operator's screen. */
const LONGEST_PAIRED_ID_CHARS = 128;

export function decideAccess(
  policy: AccessPolicy,
  question: AccessQuestion,
  picture: Pick<RoutePicture, "isApproved" | "listChatIds">,
): AccessDecision {
  const { place, message } = question;
  if (policy.isOperatorOnly) return { allowed: true };
  if (message.sender.isBot && !policy.allowFrom.has(message.sender.id)) return { allowed: false, reason: "bot" };
  if (place.kind === "dm") return decideDm(policy, place, message.sender.id, picture);
  return decideGroup(policy.groups, question, picture);
}

/** Something is let in that is not addressed to the bot, so the platform has to give it every message of a group. */
export function needsAllMessages({ groups }: Pick<AccessPolicy, "groups">): boolean {
  if (groups.requireMention || groups.policy === "disabled") return false;
  return groups.policy === "open" || groups.allow.size + groups.guilds.size > 0;
}

/** Where the account takes part, as plugins are told it when they look an account over. */
export function describeGroups({ groups }: Pick<AccessPolicy, "groups">): InspectedGroups {
  const { policy, allow, guilds } = groups;
  return { policy, allow: [...allow], guilds: [...guilds] };
}

function decideDm(
  policy: AccessPolicy,
  place: AddressParts,
  senderId: string,
  picture: Pick<RoutePicture, "isApproved">,
): AccessDecision {
  const { dmPolicy } = policy;
  if (dmPolicy === "disabled") return { allowed: false, reason: "dm_disabled" };
  if (dmPolicy === "open" || policy.allowFrom.has(senderId)) return { allowed: true };
  if (dmPolicy === "allowlist")
    return { allowed: false, reason: "unknown_sender", tell: formatRefusal(policy, place, senderId) };
  const id = senderId.trim();
  if (id === "" || !id.isWellFormed() || id.length > LONGEST_PAIRED_ID_CHARS)
    return { allowed: false, reason: "unknown_sender" };
  if (picture.isApproved(place.channel, place.account, id)) return { allowed: true };
  return { allowed: false, reason: "unknown_sender", offersPairing: true };
}

function decideGroup(
  groups: GroupAccess,
  { place, message, isCommand, isInChildThread }: AccessQuestion,
  picture: Pick<RoutePicture, "listChatIds">,
): AccessDecision {
  const { guild } = message;
  // A chat that moved is still the one that the operator named.
  const isListed = () =>
    picture.listChatIds(place.channel, place.chat).some((id) => groups.allow.has(id)) ||
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
