/**
 * What becomes of one message. The stages, in order:
 *   1 form     is it something an agent could answer
 *   2 access   may this sender talk here
 *   3 edit     a new version changes what still waits, and never begins a turn
 *   4 age      is it too old to be answered
 *   5 route    which agent, which session: a bound place's child, else by the routes
 *   6 kind     a command, also an unknown one, which the host answers; or an input of the session's lane
 * Pure: the outcome is stored (T0) before anything else happens.
 */
import { type AddressParts, type InboundMessage, parseAddress } from "@banyan/plugin-sdk";
import { type AccessPolicy, decideAccess, type RefusalReason } from "../access/decide-access.ts";
import type { RoutePicture } from "../access/route-state.ts";
import { BanyanError } from "../ports/errors.ts";
import { type ChatCommand, parseChatCommand } from "./chat-command.ts";
import { routeBound } from "./route-bound.ts";
import { type Routed, type RouteTable, routeMessage } from "./route-message.ts";

/** One message of any platform is smaller; what is larger is no conversation. */
const TEXT_LIMIT_CHARS = 1_048_576;

const HOUR_MS = 3_600_000;

export interface InboundRefusal {
  readonly status: "refused";
  readonly reason: RefusalReason;
  /** For the sender, in DMs only. */
  readonly tell?: string;
  /** The sender gets a code for the operator. */
  readonly offersPairing?: true;
  /** The message takes the place of its earlier version where that still waits. */
  readonly amends?: true;
}

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
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export function decideInbound(message: InboundMessage, rules: InboundRules): InboundDecision {
  const place = parseAddress(message.address);
  const form = decideForm(message);
  const binding = rules.picture.findBinding(message.address);
  const bound = binding && routeBound(binding);
  const isInChildThread = bound !== undefined && binding?.kind === "thread";
  const command = findOwnCommand(message, place, isInChildThread, rules);
  const question = { place, message, isCommand: command !== undefined, isInChildThread };
  const access = decideAccess(rules.access, question, rules.picture);
  // Who may not talk here, such as a bot, is told nothing of the form.
  if (form !== undefined) return access.allowed ? form : { status: "refused", reason: form.reason };
  if (message.editedAt !== undefined) return decideEdit(access.allowed && command === undefined);
  if (!access.allowed) {
    const { allowed: _allowed, ...refusal } = access;
    return { status: "refused", ...refusal };
  }
  const age = decideAge(message, rules);
  if (age !== undefined) return age;
  const routed = bound ?? decideRoute(message, place, rules);
  if ("status" in routed) return routed;
  if (command === undefined) return { status: "accepted", kind: "message", place, ...routed };
  const hasMessage = command.rest !== "" && rules.commandsWithMessage.has(command.name);
  return { status: "accepted", kind: "command", place, ...routed, ...(hasMessage ? { followUp: command.rest } : {}) };
}

/**
 * Finds a command of the host, or an unknown one that was meant for this bot and is answered with the most similar one.
 * In a group, a command that names no bot may be for another one.
 */
function findOwnCommand(
  { text, addressed }: InboundMessage,
  { kind }: AddressParts,
  isInChildThread: boolean,
  { commands }: InboundRules,
): ChatCommand | undefined {
  const command = parseChatCommand(text, commands);
  const isMeantForBot = kind === "dm" || addressed === true || isInChildThread;
  return command?.isKnown === true || isMeantForBot ? command : undefined;
}

function decideForm(message: InboundMessage): InboundRefusal | undefined {
  if (message.text.trim() === "" && (message.attachments ?? []).length === 0)
    return { status: "refused", reason: "empty" };
  if (message.text.length <= TEXT_LIMIT_CHARS) return undefined;
  const tell = `Your message has ${message.text.length} characters; at most ${TEXT_LIMIT_CHARS} are taken. Send it in parts.`;
  return { status: "refused", reason: "too_long", tell };
}

/** What was a command has had its effect, and what becomes one by an edit was never sent as one. */
function decideEdit(isMessage: boolean): InboundRefusal {
  return { status: "refused", reason: "edited", ...(isMessage ? { amends: true } : {}) };
}

function decideAge({ at }: InboundMessage, { access, now }: InboundRules): InboundRefusal | undefined {
  const { catchUpMs, isOperatorOnly } = access;
  if (isOperatorOnly || catchUpMs === 0 || now - at <= catchUpMs) return undefined;
  const hours = Number((catchUpMs / HOUR_MS).toFixed(2));
  const tell = `While I was away your message of ${formatMinute(at)} grew older than ${hours} h and was left out; send it again if it still matters.`;
  return { status: "refused", reason: "too_old", tell };
}

/** In the one time zone that nobody has to guess: `2026-11-20 13:14 UTC`. */
function formatMinute(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? "long ago" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function decideRoute(message: InboundMessage, place: AddressParts, rules: InboundRules): Routed | InboundDecision {
  try {
    return routeMessage(rules.routes, rules.picture, place, message);
  } catch (error) {
    // An id that cannot be part of a key is the sender's: fail closed, never another session.
    if (error instanceof BanyanError) return { status: "refused", reason: "no_agent", tell: error.message };
    throw error;
  }
}
