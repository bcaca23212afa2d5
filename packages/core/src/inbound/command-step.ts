/** The step that ends a command: its effects and its answer are stored together with its end, or nothing is. */
import type { CommandStep, NewDelivery, SessionWrite, Store } from "@banyan/store";
import { type CommandDecision, type CommandOrder, countOf, isRunning } from "../commands/command.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import type { PreparedEnds } from "../runs/prepare-ends.ts";
import type { RunParts, StoppedTurn } from "../runs/run-parts.ts";
import { reopenSessionEntry } from "../sessions/open-session-entry.ts";
import { buildSessionWrite } from "../sessions/session-record.ts";
import { buildNoticeEntry, formatEntry } from "../sessions/transcript.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import { composeNotice } from "./notice.ts";

export type CommandEnd =
  /** `waiting`: items left in the lane. `wakes`: other lanes that now have work; `undefined`: a repeat does not say. */
  | { readonly status: "done"; readonly waiting: number; readonly wakes: readonly string[] | undefined }
  /** Nothing was written: decide again. */
  | { readonly status: "conflict" }
  /** The command is not open any more. */
  | { readonly status: "gone" };

/** What was stopped or prepared for a decision before it is stored. */
export interface StoppedWork {
  readonly turn: StoppedTurn | undefined;
  readonly ends: PreparedEnds | undefined;
}

export function buildCommandStep(
  order: CommandOrder,
  decision: CommandDecision,
  { turn, ends }: StoppedWork,
  parts: RunParts,
): Omit<CommandStep, "step"> {
  const { record, seq } = order;
  return {
    lane: record.key,
    seq,
    ...buildSessionChange(order, decision, turn, parts.ports),
    ...(decision.link === undefined ? {} : { link: decision.link }),
    ...(ends === undefined ? {} : { runs: ends.effect }),
    items: [],
    ...decision.effect?.written,
    deliveries: composeDeliveriesOf(order, decision, ends, parts),
  };
}

/** Sends the step and hands its deliveries to the outbox. */
export async function commitCommand(step: Omit<CommandStep, "step">, parts: RunParts): Promise<CommandEnd> {
  const { outbox, owner } = parts;
  const deliveries = outbox.reserve(step.deliveries, owner);
  let end: CommandEnd = { status: "gone" };
  try {
    end = await sendStep({ ...step, step: "command", deliveries }, parts);
  } finally {
    if (end.status === "done") outbox.enqueue(deliveries);
    else outbox.release(deliveries);
  }
  return end;
}

async function sendStep(step: CommandStep, { store, ports, signal }: RunParts): Promise<CommandEnd> {
  ports.faultPoint("command.before");
  const committed = await commitPatiently(store, step, ports, signal);
  ports.faultPoint("command.after");
  if (committed.status === "done") return { status: "done", waiting: committed.waiting, wakes: committed.wakes ?? [] };
  if (committed.status === "refused") {
    const { accept, runs, bind, items, answer } = step;
    // The effects on runs, bindings and questions can be refused for reasons of their own, which a new decision respects.
    const canDiffer =
      accept !== undefined || runs !== undefined || bind !== undefined || items.length > 0 || answer !== undefined;
    const isConflict = canDiffer || committed.reason === "conflict" || committed.reason === "stale_route";
    return { status: isConflict ? "conflict" : "gone" };
  }
  // `already`: it was our own commit if the store has what was written under an id that was created for this step.
  return (await isStored(step, store)) ? { status: "done", waiting: 1, wakes: undefined } : { status: "gone" };
}

/** A command without an answer is known by the session that it began. */
async function isStored({ deliveries: [first], lane, session }: CommandStep, { read }: Store): Promise<boolean> {
  if (first !== undefined) return (await read.delivery(first.id)) !== undefined;
  return session !== undefined && (await read.session(lane))?.sessionId === session.sessionId;
}

function buildSessionChange(
  order: CommandOrder,
  { entry, stops, resets }: CommandDecision,
  turn: StoppedTurn | undefined,
  ports: Ports,
): { readonly stop?: NonNullable<CommandStep["stop"]>; readonly session?: SessionWrite } {
  const { record, lane, now } = order;
  const isOwn = turn?.sessionId === record.entry.sessionId;
  const used = turn !== undefined && isOwn ? updateEntryAfterRun(record.entry, turn.figures) : undefined;
  const changed = entry ?? used;
  const session = changed === undefined ? {} : { session: buildSessionWrite(record, changed) };
  if (!stops) return session;
  const reset = resets
    ? [formatEntry(buildNoticeEntry({ id: ports.createId(), timestamp: now }, "reset", "manual"))]
    : [];
  const stop = {
    epoch: turn?.epoch ?? lane.epoch,
    ...(isRunning(order) ? { isRunning: true as const } : {}),
    sessionId: turn?.sessionId ?? record.entry.sessionId,
    entries: [...(turn?.entries ?? []), ...reset],
    taken: turn?.taken ?? [],
  };
  if (!resets) return { stop, ...session };
  const next = reopenSessionEntry(used ?? record.entry, { key: record.key, sessionId: ports.createUuid(), now });
  return { stop, session: buildSessionWrite(record, next) };
}

/** Composes the answer, and the notices to other chats. */
function composeDeliveriesOf(
  order: CommandOrder,
  { answer, notices = [], resets }: CommandDecision,
  ends: PreparedEnds | undefined,
  parts: RunParts,
): readonly NewDelivery[] {
  const { ports } = parts;
  const text = answer + (resets ? describeEnds(order.record.key, ends) : "");
  const others = notices.map((notice) => ({ ...notice, text: ports.scrub(notice.text) }));
  return [...composeAnswer(order, text, parts), ...others.flatMap((notice) => composeNotice(notice, parts))];
}

function composeAnswer(
  { record, address, answerId: deliveryId }: CommandOrder,
  text: string,
  { ports, getChannel }: RunParts,
): readonly NewDelivery[] {
  if (address === undefined) return [];
  const { text: limit, policy } = getChannel(address);
  const answer = { kind: "command", address, text: ports.scrub(text), sessionKey: record.key } as const;
  return composeDeliveries({ deliveryId, ...answer, limit, policy });
}

/** A sub-agent whose own session is reset does not count as one that was stopped. */
function describeEnds(lane: string, ends: PreparedEnds | undefined): string {
  const count = (ends?.events ?? []).filter(({ childSessionKey }) => childSessionKey !== lane).length;
  return count === 0 ? "" : ` ${countOf(count, "sub-agent was", "sub-agents were")} stopped.`;
}
