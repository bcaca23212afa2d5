import type { Address, Completion, NewTranscriptEntry, Saying } from "@banyan/plugin-sdk";
import { type Claim, isSuspect } from "@banyan/store";
import type { BudgetLimit } from "../budgets/allotment.ts";
import { formatBudgetCure, formatReached } from "../budgets/budget-sentence.ts";
import type { ItemBody } from "../lanes/item-body.ts";
import { isVisible, NO_REPLY } from "../runs/silent-answer.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import { buildAnswerEntry, buildNoticeEntry } from "../sessions/transcript.ts";
import type { RunFigures } from "../sessions/update-after-run.ts";
import type { AgentEnd } from "./agent-end.ts";
import { formatLeftOut } from "./collected-messages.ts";
import type { TakenMessage } from "./taken-message.ts";

/** Starts of one turn before it is set aside: a message that kills the process must not kill it for ever. */
export const MOST_ATTEMPTS = 3;

/** One claimed item with all that a turn on it needs to know. */
export interface Turn {
  readonly id: string;
  readonly claim: Claim;
  readonly record: SessionRecord;
  readonly body: ItemBody;
  readonly address: Address;
  /** Waiting completions that the turn answers to as well, as their items and what they tell of. */
  readonly taken: readonly number[];
  /** Messages that it answers to beside its own; with `overflow` they are told in short, or left out with it. */
  readonly messages: readonly TakenMessage[];
  readonly overflow?: "summarize" | "old";
  /** What the turn answers to, where that is the end of runs; the claimed one first. */
  readonly completions: readonly Completion[];
  /** The answer's entry. One id, however the turn ends: when a stop meets its end, the store keeps the first. */
  readonly answerId: string;
}

export interface TurnEnd {
  readonly outcome: "done" | "failed" | "quarantined";
  /** Behind the turn's opening entry. */
  readonly entries: readonly NewTranscriptEntry[];
  /** What changes in the session's record. */
  readonly figures: RunFigures;
  /** What the chat is told; absent: nothing. */
  readonly reply?: { readonly kind: "reply" | "notice"; readonly text: string };
  /** What it had sent to the chat before its answer. */
  readonly sayings?: readonly Saying[];
  /** The agent's own words, visible or not. */
  readonly answer: string;
  /** With `failed` and `quarantined`: a sentence. */
  readonly error?: string;
  /** The agent was asked, and did not come to its own end. */
  readonly isCut?: true;
  /** It was cut off in what cannot be repeated. */
  readonly isInterrupted?: true;
}

export interface Stamps {
  now(): number;
  createId(): string;
}

/** What an agent's end means for transcript, record and chat. Pure but for the stamps. */
export function composeAgentTurn(turn: Turn, end: AgentEnd, toolCalls: number, stamps: Stamps): TurnEnd {
  const stamp = () => ({ id: stamps.createId(), timestamp: stamps.now() });
  const isFailed = end.reason === "error" || end.passed !== undefined;
  const { text, reason, runtimeId, model, usage } = end;
  const answer = buildAnswerEntry(
    { id: turn.answerId, timestamp: stamps.now() },
    {
      text,
      stopReason: reason,
      provider: runtimeId,
      runId: turn.claim.item.runId,
      ...(model === undefined ? {} : { model }),
      ...(usage === undefined ? {} : { usage }),
    },
  );
  const told = formatTold(turn, end);
  const notice = told?.kind === "notice" ? [buildNoticeEntry(stamp(), "notice", told.text)] : [];
  const hasAnswer = text.trim() !== "";
  const figures: RunFigures = {
    now: stamps.now(),
    policy: turn.claim.item.kind === "message" ? "touch-activity" : "preserve-activity",
    messages: hasAnswer ? 2 : 1,
    toolCalls,
    isFailed,
    ...(end.error === undefined ? {} : { error: end.error }),
    turns: 1,
    ...(turn.claim.item.kind === "message" ? {} : { isBetween: true }),
    ...(usage === undefined ? {} : { usage }),
    ...(model === undefined ? {} : { model }),
  };
  return {
    outcome: isFailed ? "failed" : "done",
    entries: [...(hasAnswer ? [answer] : []), ...notice],
    figures,
    ...(told === undefined || turn.body.isQuiet ? {} : { reply: told }),
    answer: text,
    ...(isFailed ? { error: describeFailure(turn, end) } : {}),
    ...(reason === "stopped" || reason === "error" ? { isCut: true } : {}),
  };
}

/** A turn that no person asked for may end in silence. */
function formatTold(turn: Turn, end: AgentEnd): TurnEnd["reply"] {
  const hasText = end.text.trim() !== "";
  if (end.reason !== "error" && end.passed === undefined) {
    if (isVisible(end.text)) return { kind: "reply", text: end.text };
    const mayBeSilent = hasText || turn.claim.item.kind !== "message";
    return mayBeSilent ? undefined : { kind: "notice", text: "The agent ended without an answer." };
  }
  if (turn.claim.item.kind === "completion" && !hasText) return undefined;
  const failure = formatFailure(turn, end);
  return hasText ? { kind: "reply", text: `${end.text}\n\n${failure}` } : { kind: "notice", text: failure };
}

function formatFailure(turn: Turn, end: AgentEnd): string {
  if (end.passed !== undefined) return `⚠ The agent was stopped: ${describeFailure(turn, end)}`;
  const failure = describeFailure(turn, end);
  // What ends as a sentence says itself what failed.
  const sentence = /[.!?…]$/u.test(failure) ? failure : `The agent could not finish: ${failure}.`;
  return `⚠ ${sentence} Your message is kept; write again to continue.`;
}

function describeFailure(turn: Turn, { error, passed }: AgentEnd): string {
  return passed === undefined ? (error ?? "no reason was given") : describeBudget(turn, passed);
}

function describeBudget({ record }: Turn, limit: BudgetLimit): string {
  return `${formatReached(limit)}; ${formatBudgetCure(limit, [...(record.entry.spawnLineage ?? []), record.agentId])}`;
}

/** A turn that would go beyond a budget: the agent is not asked, and the sender is told why. */
export function composeOverBudget(turn: Turn, limit: BudgetLimit, stamps: Stamps): TurnEnd {
  const error = describeBudget(turn, limit);
  const told = `⚠ The agent was not asked: ${error}`;
  return composeSetAside(turn, { error, told, noted: told }, "failed", stamps);
}

/** A turn that was cut off too often: it is set aside, and the sender is told which message it was. */
export function composeQuarantine(turn: Turn, stamps: Stamps): TurnEnd {
  const failed = isSuspect(turn.claim.item) ? "the gateway crashed" : "the agent was cut off";
  const error = `${failed} ${MOST_ATTEMPTS} times while working on it`;
  const told = `⚠ Your message “${quoteBegin(turn)}” was set aside: ${error}. Send it again to try once more.`;
  return composeSetAside(turn, { error, told, noted: `⚠ An input was set aside: ${error}.` }, "quarantined", stamps);
}

/** A turn that was cut off in a call that must not run twice: nobody knows what became of it, so it does not go on. */
export function composeInterruption(turn: Turn, tool: string, stamps: Stamps): TurnEnd {
  const error = `the agent was cut off while ${tool} ran, which cannot be repeated`;
  const told = `⚠ Your message “${quoteBegin(turn)}” was not finished: ${error}. Look at what it has done, then write again.`;
  const noted = `⚠ An input was not finished: ${error}.`;
  return { ...composeSetAside(turn, { error, told, noted }, "failed", stamps), isInterrupted: true };
}

function quoteBegin({ body }: Turn): string {
  return body.text.length > 60 ? `${body.text.slice(0, 60).toWellFormed()}…` : body.text;
}

function composeSetAside(
  turn: Turn,
  { error, told, noted }: { readonly error: string; readonly told: string; readonly noted: string },
  outcome: "quarantined" | "failed",
  stamps: Stamps,
): TurnEnd {
  const isAsked = turn.claim.item.kind === "message" && !turn.body.isQuiet;
  const figures: RunFigures = {
    now: stamps.now(),
    policy: "preserve-activity",
    messages: 1,
    toolCalls: 0,
    isFailed: true,
  };
  const stamp = { id: stamps.createId(), timestamp: stamps.now() };
  return {
    outcome,
    entries: [buildNoticeEntry(stamp, "notice", isAsked ? told : noted)],
    figures,
    answer: "",
    error,
    ...(isAsked ? { reply: { kind: "notice", text: told } } : {}),
  };
}

/** Too many waited: these are left out, which is said. */
export function composeLeftOut(turn: Turn, cap: number, stamps: Stamps): TurnEnd {
  const texts = [turn.body.text, ...turn.messages.map(({ body }) => body.text)];
  const told = formatLeftOut(texts, cap);
  const figures: RunFigures = {
    now: stamps.now(),
    policy: "touch-activity",
    messages: texts.length,
    toolCalls: 0,
    isFailed: false,
  };
  return {
    outcome: "done",
    entries: [buildNoticeEntry({ id: stamps.createId(), timestamp: stamps.now() }, "notice", told)],
    figures,
    answer: NO_REPLY,
    ...(turn.body.isQuiet ? {} : { reply: { kind: "notice", text: told } }),
  };
}

/** What is only written down: no agent is asked. */
export function composeAppend(turn: Turn, stamps: Stamps): TurnEnd {
  const figures: RunFigures = {
    now: stamps.now(),
    policy: "preserve-activity",
    messages: turn.completions.length,
    toolCalls: 0,
    isFailed: false,
  };
  return { outcome: "done", entries: [], figures, answer: NO_REPLY };
}
