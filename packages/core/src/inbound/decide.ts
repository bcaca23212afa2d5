/**
 * What becomes of one message. The stages, in order:
 *   1 form     it has a text or a file, and is not too long
 *   2 access   the sender may talk here (access.ts)
 *   3 edit     a new version replaces a message that still waits; it never starts a turn
 *   4 age      it is not too old to be answered
 *   5 route    the agent and the session: a bound place's child session, else by the route table (route.ts)
 *   6 kind     a command, also an unknown one, which the host answers; or an input for the session's agent
 * Pure. The outcome is stored before it has any effect.
 */
import { type AddressParts, type InboundMessage, parseAddress, type TargetRequest } from "@banyan/plugin-sdk";
import type { Command } from "../commands/command.ts";
import { BanyanError } from "../ports/errors.ts";
import { type AccessDecision, type AccessPolicy, decideAccess } from "./access.ts";
import { type Routed, type RouteTable, routeBound, routeMessage } from "./route.ts";
import type { RouteView } from "./route-state.ts";

/** More than any platform allows in one message. */
const MAX_TEXT_CHARS = 1_048_576;

const HOUR_MS = 3_600_000;

export interface InboundRules {
  readonly access: AccessPolicy;
  readonly table: RouteTable;
  readonly view: RouteView;
  readonly commands: { parse(text: string): TypedCommand | undefined };
  /** Milliseconds since the epoch. */
  readonly now: number;
}

interface TypedCommand {
  readonly command: Pick<Command, "takesMessage">;
  readonly isKnown: boolean;
  readonly rest: string;
}

export type InboundDecision = InboundRefusal | InboundAcceptance;

export interface InboundRefusal {
  readonly status: "refused";
  readonly reason:
    | Extract<AccessDecision, { allowed: false }>["reason"]
    | "edited"
    | "empty"
    | "too_long"
    | "too_old"
    | "no_agent"
    | "failed";
  /** An answer for the sender, in DMs only. */
  readonly notice?: string;
  /** The sender gets a pairing code for the operator. */
  readonly offersPairing?: true;
  /** The message replaces its earlier version where that still waits. */
  readonly amends?: true;
}

export interface InboundAcceptance extends Routed {
  readonly status: "accepted";
  readonly kind: "message" | "command";
  readonly place: AddressParts;
  /** The text after a command that is stored as a message directly after it. */
  readonly followUp?: string;
}

export function decideInbound(message: InboundMessage, rules: InboundRules): InboundDecision {
  const place = parseAddress(message.address);
  const form = decideForm(message);
  const binding = rules.view.findBinding(message.address);
  const bound = binding && routeBound(binding);
  const isInChildThread = bound !== undefined && binding?.kind === "thread";
  const command = findOwnCommand(message, place, isInChildThread, rules);
  const question = { place, message, isCommand: command !== undefined, isInChildThread };
  const access = decideAccess(rules.access, question, rules.view);
  // A sender without access, such as a bot, gets no answer about the form.
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
  const hasMessage = command.rest !== "" && command.command.takesMessage === true;
  return { status: "accepted", kind: "command", place, ...routed, ...(hasMessage ? { followUp: command.rest } : {}) };
}

/** Finds the session that a command of this sender would act on, without a message. `undefined` if it would be refused. */
export function findCommandSession(
  { address, sender, guild }: Pick<TargetRequest, "address" | "sender" | "guild">,
  rules: Omit<InboundRules, "commands">,
): string | undefined {
  const message = { id: "", address, sender, text: "/", at: rules.now, ...(guild === undefined ? {} : { guild }) };
  const commands: InboundRules["commands"] = { parse: () => ({ command: {}, isKnown: true, rest: "" }) };
  const decision = decideInbound(message, { ...rules, commands });
  return decision.status === "accepted" ? decision.sessionKey : undefined;
}

/**
 * Finds a command of the host, or an unknown one that was meant for this bot. In a group, an unknown command that does not
 * name the bot may be for another one.
 */
function findOwnCommand(
  { text, addressed }: InboundMessage,
  { kind }: AddressParts,
  isInChildThread: boolean,
  { commands }: InboundRules,
): TypedCommand | undefined {
  const command = commands.parse(text);
  const isMeantForBot = kind === "dm" || addressed === true || isInChildThread;
  return command?.isKnown === true || isMeantForBot ? command : undefined;
}

function decideForm(message: InboundMessage): InboundRefusal | undefined {
  if (message.text.trim() === "" && (message.attachments ?? []).length === 0)
    return { status: "refused", reason: "empty" };
  if (message.text.length <= MAX_TEXT_CHARS) return undefined;
  const notice = `Your message has ${message.text.length} characters; at most ${MAX_TEXT_CHARS} are taken. Send it in parts.`;
  return { status: "refused", reason: "too_long", notice };
}

/** An edit neither undoes a command nor makes one: a command has already run, and its new text was never sent as one. */
function decideEdit(isMessage: boolean): InboundRefusal {
  return { status: "refused", reason: "edited", ...(isMessage ? { amends: true } : {}) };
}

function decideAge({ at }: InboundMessage, { access, now }: InboundRules): InboundRefusal | undefined {
  const { catchUpMs, isOperatorOnly } = access;
  if (isOperatorOnly || catchUpMs === 0 || now - at <= catchUpMs) return undefined;
  const hours = Number((catchUpMs / HOUR_MS).toFixed(2));
  const notice = `While I was away your message of ${formatMinute(at)} grew older than ${hours} h and was left out; send it again if it still matters.`;
  return { status: "refused", reason: "too_old", notice };
}

/** In UTC, because the sender's time zone is not known: `2026-11-20 13:14 UTC`. */
function formatMinute(at: number): string {
  const time = new Date(at);
  return Number.isNaN(time.valueOf()) ? "long ago" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

function decideRoute(message: InboundMessage, place: AddressParts, { table, view }: InboundRules) {
  try {
    return routeMessage(table, view, place, message);
  } catch (error) {
    // An id that cannot be part of a key must never lead to another session.
    if (error instanceof BanyanError) return { status: "refused", reason: "no_agent", notice: error.message } as const;
    throw error;
  }
}
