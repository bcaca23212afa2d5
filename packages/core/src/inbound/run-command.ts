import { parseAddress } from "@banyan/plugin-sdk";
import type { CommandStep, ItemRow, LinkEffect, NewDelivery, SessionWrite } from "@banyan/plugin-sdk/store";
import { findRouteRefusal } from "../access/judge-routes.ts";
import { buildLinkedRoutes } from "../access/link-book.ts";
import {
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandOrder,
  countOf,
  isRunning,
  isTyped,
} from "../commands/command.ts";
import { buildEndsEffect } from "../commands/ends-effect.ts";
import { parseItemBody } from "../lanes/item-body.ts";
import { type Composition, composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { Ports } from "../ports/ports.ts";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import type { PreparedEnds } from "../runs/prepare-ends.ts";
import type { StoppedTurn } from "../runs/run-parts.ts";
import { giveTurnsBack } from "../runs/stopped-lane.ts";
import { reopenSessionEntry } from "../sessions/open-session-entry.ts";
import { buildSessionWrite } from "../sessions/session-record.ts";
import { buildNoticeEntry, formatEntry } from "../sessions/transcript.ts";
import { updateEntryAfterRun } from "../sessions/update-after-run.ts";
import { prepareCommandEnds } from "./command-ends.ts";
import type { CommandParts } from "./command-parts.ts";
import { type CommandEnd, commitCommand } from "./commit-command.ts";
import { resumeCutTurn } from "./cut-turn.ts";
import { findCommand, readCommandContext } from "./read-command-context.ts";

const MOST_CONFLICTS = 5;
/** As many of one lane as are kept in memory. */
const MOST_COMMANDS = 1_000;
const REFUSED_LINKS =
  "That is not done: direct chats share one conversation here, and one person would read in it what another has written. Its operator can separate the conversations first.";

/** The turn that a command has stopped and not yet ended in the store. */
interface StopHold {
  stopped: StoppedTurn | undefined;
}

/**
 * Runs one stored command: reads, decides, and commits effect, answer and end of the item in one step. Resolves with
 * the number of items left in its lane. A conflict means that the lane moved on meanwhile: it is decided again. Where
 * the command does not come to its end, a turn that it has stopped is given back and runs again.
 */
export async function runCommand(item: ItemRow, parts: CommandParts): Promise<number> {
  const hold: StopHold = { stopped: undefined };
  try {
    const waiting = await decideAndCommit(item, hold, parts);
    if (waiting !== "gone") return waiting;
  } catch (error) {
    await giveBack(item.lane, hold, parts);
    throw error;
  }
  await giveBack(item.lane, hold, parts);
  return 1;
}

async function giveBack(lane: string, { stopped }: StopHold, { runs }: CommandParts): Promise<void> {
  if (stopped !== undefined) await giveTurnsBack([{ lane, epoch: stopped.epoch }], runs);
}

async function decideAndCommit(item: ItemRow, hold: StopHold, parts: CommandParts): Promise<number | "gone"> {
  const answers: TargetAnswers = new Map();
  if (findCommand(parseItemBody(item.body).text, parts).stopsTurn) await resumeCutTurn(item, parts);
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    if (tries > 1 && !(await isOpen(item, parts))) return "gone";
    const context = await readCommandContext(item, answers, parts);
    // The lane was claimed anew, so that turn has ended itself: what it said is written. Or it was given back and runs again.
    if (hold.stopped?.epoch !== context.lane.epoch || !isRunning(context)) hold.stopped = undefined;
    const decided = await decideOrder(context, parts);
    const decision = (await isRefused(decided, parts)) ? { answer: REFUSED_LINKS } : decided;
    const end = await commitDecision(context, decision, hold, parts);
    if (end.status !== "conflict") return end.status === "gone" ? "gone" : end.waiting;
  }
  throw new Error(
    `The command ${item.seq} was run: its lane ${item.lane} changed ${MOST_CONFLICTS} times at the same time`,
  );
}

async function isOpen({ lane, seq }: ItemRow, { store }: CommandParts): Promise<boolean> {
  const open = await store.read.openItems({ lane, kinds: ["command"], limit: MOST_COMMANDS });
  return open.some((item) => item.seq === seq);
}

/** Everything the command does, in one step; what stands ready for it is settled or taken back. */
async function commitDecision(
  context: CommandOrder,
  decision: CommandDecision,
  hold: StopHold,
  parts: CommandParts,
): Promise<CommandEnd> {
  const { record, address, seq } = context;
  const { key: lane } = record;
  const effects = decision.effect === undefined ? [] : [decision.effect];
  let isDone = false;
  try {
    if (decision.stops) hold.stopped ??= await parts.stopTurn(lane, isRunning(context));
    const ends = await prepareCommandEnds(context, decision, hold.stopped, parts.runs);
    if (ends !== undefined) effects.push(buildEndsEffect(ends, parts.runs));
    const effect = buildEffect(context, decision, hold.stopped, parts.ports);
    const answer = decision.answer + tellEnds(lane, decision, ends);
    const answered = { deliveryId: context.answerId, kind: "command", text: answer, sessionKey: lane } as const;
    const deliveries = [
      ...(address === undefined ? [] : compose({ ...answered, address }, parts)),
      ...(decision.notices ?? []).flatMap((notice) =>
        compose({ deliveryId: parts.ports.createId(), kind: "notice", ...notice }, parts),
      ),
    ];
    const runs = ends === undefined ? {} : { runs: ends.effect };
    const step = { lane, seq, ...effect, ...runs, items: [], ...decision.effect?.written, deliveries };
    const end = await commitCommand(step, parts);
    isDone = end.status === "done";
    if (end.status === "done") {
      for (const each of effects) await each.settle(end.wakes);
      // What the turn had asked somebody is withdrawn.
      if (decision.stops) parts.runs.wakeTimers();
      if (decision.entry !== undefined) parts.sessions.advance(record, decision.entry, record.revision + 1);
      if (effect.session !== undefined && decision.resets) announceReset(context, effect.session, parts);
      if (changesRoutes(decision)) await parts.routeState.refresh();
    }
    return end;
  } finally {
    if (!isDone) for (const each of effects) await each.abandon();
  }
}

/** What people write goes elsewhere from now on. */
function changesRoutes({ link, effect }: CommandDecision): boolean {
  const { bind, accept } = effect?.written ?? {};
  return (link?.writes ?? []).length > 0 || bind !== undefined || accept?.binding !== undefined;
}

/** A sub-agent whose own conversation begins anew is not one of those that were stopped. */
function tellEnds(lane: string, { resets }: CommandDecision, ends: PreparedEnds | undefined): string {
  const count = (ends?.events ?? []).filter(({ childSessionKey }) => childSessionKey !== lane).length;
  if (!resets || count === 0) return "";
  return ` ${countOf(count, "sub-agent was", "sub-agents were")} stopped.`;
}

/** All that a program can order is the end of the conversation. */
async function decideOrder(order: CommandOrder, parts: CommandParts): Promise<CommandDecision> {
  if (!isTyped(order)) return { answer: "", stops: true, resets: true };
  return decideCommand(findCommand(order.body.text, parts), order);
}

async function decideCommand(command: Command, context: CommandContext): Promise<CommandDecision> {
  if (command.isDmOnly && parseAddress(context.address).kind !== "dm")
    return command.decideElsewhere?.(context) ?? { answer: `/${command.name} works in a direct chat with me alone.` };
  return command.decide(context);
}

/** Whether people would then share one conversation that they may not. The links are judged as the command read them. */
async function isRefused(
  { link }: CommandDecision,
  { routeState, checkRoutes }: Pick<CommandParts, "routeState" | "checkRoutes">,
): Promise<boolean> {
  if (link === undefined || link.writes.length === 0) return false;
  const { snapshot } = routeState.picture;
  return (await findRouteRefusal(checkRoutes, snapshot, buildLinkedRoutes(snapshot, link.writes))) !== undefined;
}

function compose(
  message: Pick<Composition, "deliveryId" | "kind" | "address" | "text" | "sessionKey">,
  { ports, getChannel }: CommandParts,
): readonly NewDelivery[] {
  const { text: limit, policy } = getChannel(message.address);
  return composeDeliveries({ ...message, text: ports.scrub(message.text), limit, policy });
}

function buildEffect(
  context: CommandOrder,
  decision: CommandDecision,
  stopped: StoppedTurn | undefined,
  ports: Ports,
): { stop?: NonNullable<CommandStep["stop"]>; session?: SessionWrite; link?: LinkEffect } {
  const { record, lane, now } = context;
  const isOwn = stopped?.sessionId === record.entry.sessionId;
  const used = stopped !== undefined && isOwn ? updateEntryAfterRun(record.entry, stopped.figures) : undefined;
  const { entry: changed = used } = decision;
  const own = changed === undefined ? {} : { session: buildSessionWrite(record, changed) };
  const link = { ...own, ...(decision.link === undefined ? {} : { link: decision.link }) };
  if (!decision.stops) return link;
  const reset = decision.resets
    ? [formatEntry(buildNoticeEntry({ id: ports.createId(), timestamp: now }, "reset", "manual"))]
    : [];
  const stop = {
    epoch: stopped?.epoch ?? lane.epoch,
    ...(isRunning(context) ? { isRunning: true as const } : {}),
    sessionId: stopped?.sessionId ?? record.entry.sessionId,
    entries: [...(stopped?.entries ?? []), ...reset],
    taken: stopped?.taken ?? [],
  };
  if (!decision.resets) return { stop, ...link };
  const entry = reopenSessionEntry(used ?? record.entry, { key: record.key, sessionId: ports.createUuid(), now });
  return { stop, ...link, session: buildSessionWrite(record, entry) };
}

function announceReset({ record }: CommandOrder, session: SessionWrite, parts: CommandParts): void {
  const { key: sessionKey, agentId } = record;
  parts.sessions.forget(sessionKey);
  void parts.hooks.session_end.call({ sessionKey, sessionId: record.entry.sessionId, agentId, reason: "reset" });
  void parts.hooks.session_start.call({ sessionKey, sessionId: session.sessionId, agentId, reason: "reset" });
}
