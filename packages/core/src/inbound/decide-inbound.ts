/**
 * What becomes of one message. The stages, in order:
 *   1 form     is it something an agent could answer
 *   2 access   may this sender talk here
 *   3 route    which agent, which session
 *   4 kind     a command of the host, or an input of the session's lane
 * Pure: the outcome is stored (T0) before anything else happens.
 */
import { type AddressParts, type InboundMessage, parseAddress } from "@banyan/plugin-sdk";
import { type AccessPolicy, decideAccess, type RefusalReason } from "../access/decide-access.ts";
import type { RoutePicture } from "../access/route-state.ts";
import { BanyanError } from "../ports/errors.ts";
import { parseChatCommand } from "./chat-command.ts";
import { type Routed, type RouteTable, routeMessage } from "./route-message.ts";

/** One message of any platform is smaller; what is larger is no conversation. */
const TEXT_LIMIT_CHARS = 1_048_576;

type InboundRefusal = { readonly status: "refused"; readonly reason: RefusalReason; readonly tell?: string };

export type InboundDecision =
  | InboundRefusal
  | ({
      readonly status: "accepted";
      readonly kind: "message" | "command";
      readonly place: AddressParts;
      /** Text behind a command that goes on as a message right behind it. */
      readonly followUp?: string;
    } & Routed);

export interface InboundRules {
  readonly access: AccessPolicy;
  readonly routes: RouteTable;
  /** What the store says of people and chats now. */
  readonly picture: RoutePicture;
  /** Names of the commands the host takes. */
  readonly commands: ReadonlySet<string>;
  /** Those of them whose text goes on as a message. */
  readonly commandsWithMessage: ReadonlySet<string>;
}

export function decideInbound(message: InboundMessage, rules: InboundRules): InboundDecision {
  const place = parseAddress(message.address);
  const form = decideForm(message);
  const access = decideAccess(rules.access, place, message);
  // Who may not talk here, such as a bot, is told nothing of the form.
  if (form !== undefined) return access.allowed ? form : { status: "refused", reason: form.reason };
  if (!access.allowed) {
    const { reason, tell } = access;
    return { status: "refused", reason, ...(tell === undefined ? {} : { tell }) };
  }
  const routed = decideRoute(message, place, rules);
  if ("status" in routed) return routed;
  const command = parseChatCommand(message.text, rules.commands);
  if (command === undefined) return { status: "accepted", kind: "message", place, ...routed };
  const hasMessage = command.rest !== "" && rules.commandsWithMessage.has(command.name);
  return { status: "accepted", kind: "command", place, ...routed, ...(hasMessage ? { followUp: command.rest } : {}) };
}

function decideForm(message: InboundMessage): InboundRefusal | undefined {
  if (message.editedAt !== undefined) return { status: "refused", reason: "edited" };
  if (message.text.trim() === "" && (message.attachments ?? []).length === 0)
    return { status: "refused", reason: "empty" };
  if (message.text.length <= TEXT_LIMIT_CHARS) return undefined;
  const tell = `Your message has ${message.text.length} characters; at most ${TEXT_LIMIT_CHARS} are taken. Send it in parts.`;
  return { status: "refused", reason: "too_long", tell };
}

function decideRoute(message: InboundMessage, place: AddressParts, rules: InboundRules): Routed | InboundDecision {
  try {
    return routeMessage(rules.routes, rules.picture.links, place, message);
  } catch (error) {
    // An id that cannot be part of a key is the sender's: fail closed, never another session.
    if (error instanceof BanyanError) return { status: "refused", reason: "no_agent", tell: error.message };
    throw error;
  }
}
