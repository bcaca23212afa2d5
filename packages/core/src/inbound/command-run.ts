/**
 * Runs one stored command:
 *   1 resume  a turn that was cut off, if the command stops turns, so that there is something to stop
 *   2 read    the session and its lane
 *   3 decide  the answer and the effects (`Command.decide`)
 *   4 stop    the running turn, and prepare the ends of the runs that end with it
 *   5 store   effects, answer and the command's end in one step (command-step.ts)
 *   6 settle  the effects, or abandon them if nothing was stored
 * If the session or the lane changed concurrently, nothing is stored and 2 to 6 are repeated.
 */
import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import { countStarts, type ItemRow, isUnfinished, type SessionWrite, type StoreReads } from "@banyan/store";
import {
  buildEndsEffect,
  type Command,
  type CommandContext,
  type CommandDecision,
  type CommandOrder,
  isRunning,
  isTyped,
} from "../commands/command.ts";
import { type ItemBody, parseItemBody } from "../lanes/item-body.ts";
import { pause } from "../ports/pause.ts";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import { type PreparedEnds, prepareEnds } from "../runs/prepare-ends.ts";
import { readUnfinishedBelow } from "../runs/read-runs-below.ts";
import type { RunParts, StoppedTurn } from "../runs/run-parts.ts";
import { giveTurnsBack } from "../runs/stopped-lane.ts";
import { parseSessionRow, type SessionRecord } from "../sessions/session-record.ts";
import { buildCommandStep, type CommandEnd, commitCommand } from "./command-step.ts";
import type { CommandRegistry } from "./commands.ts";
import type { RouteState } from "./route-state.ts";

const MAX_CONFLICTS = 5;
/** Open items of one lane that are read at a time. */
const MAX_OPEN_ITEMS = 1_000;
/** All that a lane takes, and the one that runs. */
const MAX_OPEN_MESSAGES = 1_001;
/** One runs for the session, the others wait for runs that they started. */
const MAX_WAITING_RUNS = 100;
const RESUME_POLL_MS = 25;
/** The turn may have to wait for a place among the running lanes. Then the command is decided without it. */
const RESUME_TIMEOUT_MS = 5_000;

export interface CommandParts extends RunParts {
  readonly commands: CommandRegistry;
  readonly routeState: Pick<RouteState, "refresh">;
  getAgent(session: Pick<SessionRecord, "key" | "agentId" | "entry">): CommandContext["agent"];
}

interface CommandRun {
  readonly item: ItemRow;
  readonly body: ItemBody;
  readonly command: Command;
  readonly rest: string;
  readonly answers: TargetAnswers;
  /** The turn that the command has stopped here and that has not ended in the store. */
  stopped: StoppedTurn | undefined;
}

/**
 * Resolves with the number of items that still wait in the lane. If the command is not stored in the end, a turn that it
 * stopped is released and runs again.
 */
export async function runCommand(item: ItemRow, parts: CommandParts): Promise<number> {
  const body = parseItemBody(item.body);
  const run: CommandRun = {
    item,
    body,
    ...parts.commands.parseStored(body.text),
    answers: new Map(),
    stopped: undefined,
  };
  let waiting: number | "gone" = "gone";
  try {
    waiting = await decideAndStore(run, parts);
  } finally {
    if (waiting === "gone" && run.stopped !== undefined)
      await giveTurnsBack([{ lane: item.lane, epoch: run.stopped.epoch }], parts);
  }
  return waiting === "gone" ? 1 : waiting;
}

async function decideAndStore(run: CommandRun, parts: CommandParts): Promise<number | "gone"> {
  const { item, command } = run;
  if (command.stopsTurn) await resumeCutTurn(item, parts);
  for (let tries = 1; tries <= MAX_CONFLICTS; tries += 1) {
    if (tries > 1 && !(await isOpen(item, parts))) return "gone";
    const order = await readOrder(run, parts);
    // The stopped turn does not hold the lane any more: it has ended and is stored, or it was released and runs again.
    if (run.stopped?.epoch !== order.lane.epoch || !isRunning(order)) run.stopped = undefined;
    const end = await storeDecision(run, order, await decideOrder(command, order), parts);
    if (end.status !== "conflict") return end.status === "gone" ? "gone" : end.waiting;
  }
  throw new Error(`Running command ${item.seq}: its lane ${item.lane} changed concurrently ${MAX_CONFLICTS} times`);
}

async function isOpen({ lane, seq }: ItemRow, { store }: CommandParts): Promise<boolean> {
  const open = await store.read.openItems({ lane, kinds: ["command"], limit: MAX_OPEN_ITEMS });
  return open.some((item) => item.seq === seq);
}

async function readOrder(
  { item, body, command, rest, answers }: CommandRun,
  parts: CommandParts,
): Promise<CommandOrder> {
  const { ports, commands } = parts;
  const { read } = parts.store;
  const { lane: key, seq } = item;
  const below = command.readsSubagents ? await readUnfinishedBelow(key, read) : undefined;
  // The lane is read last, because stopping a turn that ended after this read takes time.
  const [row, lane, hasFollowUp] = await Promise.all([
    read.session(key),
    read.lane(key),
    command.takesMessage === true && rest !== "" && readHasFollowUp(item, body.id, read),
  ]);
  if (row === undefined) throw new Error(`Running command ${seq}: the session ${key} does not exist`);
  const record = parseSessionRow(row);
  const { id, runtime } = parts.getAgent(record);
  return {
    seq,
    answerId: ports.createId(),
    record,
    lane,
    address: isAddress(item.address) ? item.address : undefined,
    body,
    rest,
    hasFollowUp,
    agent: { id, runtime },
    commands: commands.list,
    now: ports.clock.now(),
    read,
    answers,
    ...(below === undefined ? {} : { subagents: below.length }),
  };
}

/** Whether the message that the command carries waits. */
async function readHasFollowUp({ lane, seq }: ItemRow, id: string, read: StoreReads): Promise<boolean> {
  const open = await read.openItems({ lane, kinds: ["message"], limit: MAX_OPEN_MESSAGES });
  const later = open.filter((item) => item.seq > seq).map(({ body }) => parseItemBody(body));
  return later.some((body) => body.isFollowUp === true && body.id === id);
}

/** A program can only order the end of the conversation. */
async function decideOrder(command: Command, order: CommandOrder): Promise<CommandDecision> {
  return isTyped(order) ? decideCommand(command, order) : { answer: "", stops: true, resets: true };
}

async function decideCommand(command: Command, context: CommandContext): Promise<CommandDecision> {
  if (!command.isDmOnly || parseAddress(context.address).kind === "dm") return command.decide(context);
  const elsewhere = await command.decideElsewhere?.(context);
  return elsewhere ?? { answer: `/${command.name} works in a direct chat with me alone.` };
}

async function storeDecision(
  run: CommandRun,
  order: CommandOrder,
  decision: CommandDecision,
  parts: CommandParts,
): Promise<CommandEnd> {
  const effects = decision.effect === undefined ? [] : [decision.effect];
  let end: CommandEnd = { status: "gone" };
  try {
    if (decision.stops) run.stopped ??= await parts.stopTurn(order.record.key, isRunning(order));
    const ends = await prepareCommandEnds(order, decision, run.stopped, parts);
    if (ends !== undefined) effects.push(buildEndsEffect(ends, parts));
    const step = buildCommandStep(order, decision, { turn: run.stopped, ends }, parts);
    end = await commitCommand(step, parts);
    if (end.status === "done") {
      for (const effect of effects) await effect.settle(end.wakes);
      await settleDecision(order, decision, step.session, parts);
    }
    return end;
  } finally {
    if (end.status !== "done") for (const effect of effects) await effect.abandon();
  }
}

async function settleDecision(
  { record }: CommandOrder,
  { stops, resets, entry, link, effect }: CommandDecision,
  session: SessionWrite | undefined,
  { wakeTimers, sessions, hooks, routeState }: CommandParts,
): Promise<void> {
  const { key: sessionKey, agentId, revision } = record;
  // The questions of a stopped turn are withdrawn by timers.
  if (stops) wakeTimers();
  if (entry !== undefined) sessions.advance(record, entry, revision + 1);
  if (resets && session !== undefined) {
    sessions.forget(sessionKey);
    void hooks.session_end.call({ sessionKey, sessionId: record.entry.sessionId, agentId, reason: "reset" });
    void hooks.session_start.call({ sessionKey, sessionId: session.sessionId, agentId, reason: "reset" });
  }
  const { bind, accept } = effect?.written ?? {};
  const isRouteChanged = (link?.writes ?? []).length > 0 || bind !== undefined || accept?.binding !== undefined;
  if (isRouteChanged) await routeState.refresh();
}

/**
 * Prepares the ends of the runs that end with the turn: the run that it works for; with a reset also the session's runs that
 * wait for others, and everything that the session has started. `undefined`: there are none.
 */
async function prepareCommandEnds(
  order: CommandOrder,
  { stops, resets }: CommandDecision,
  turn: StoppedTurn | undefined,
  parts: RunParts,
): Promise<PreparedEnds | undefined> {
  if (!stops) return undefined;
  const { address, answers, read } = order;
  const { key } = order.record;
  const active = isRunning(order) ? await findActiveRun(order) : undefined;
  const running = active === undefined ? [] : [active];
  const halted = { lane: key, turn };
  const from = address === undefined ? ({ by: "operator" } as const) : ({ by: "command", spokenAt: address } as const);
  const cause = { ...from, answers, halted };
  if (!resets) {
    if (active === undefined) return undefined;
    return prepareEnds({ runs: running, closed: [], reason: "killed", error: "It was stopped.", ...cause }, parts);
  }
  const waiting = await read.runs({ childSessionKey: key, states: ["waiting"], limit: MAX_WAITING_RUNS });
  const runs = [...waiting, ...running];
  const error = "Its conversation was reset.";
  return prepareEnds({ runs, closed: [key], reason: "session-reset", error, ...cause }, parts);
}

async function findActiveRun({ record, read }: CommandOrder) {
  const open = await read.openItems({ lane: record.key, limit: MAX_OPEN_ITEMS });
  const runId = open.find(({ state, runId: id }) => state === "active" && id !== undefined)?.runId;
  const run = runId === undefined ? undefined : await read.run(runId);
  return run !== undefined && isUnfinished(run) ? run : undefined;
}

/**
 * Starts the turn again that ran when the command was given, if it was cut off by a crash or because its chat moved. Without
 * this it would run after the command, as if no one had stopped it.
 */
async function resumeCutTurn(item: ItemRow, parts: CommandParts): Promise<void> {
  const { ports, wakeLanes, signal } = parts;
  const deadline = ports.clock.monotonic() + RESUME_TIMEOUT_MS;
  while (!signal.aborted && (await isTurnCut(item, parts))) {
    wakeLanes([item.lane]);
    if (ports.clock.monotonic() >= deadline) return;
    await pause(ports.clock, RESUME_POLL_MS, signal);
  }
}

/** Whether an item before the command was started and waits again. */
async function isTurnCut({ lane, seq }: ItemRow, { store: { read } }: CommandParts): Promise<boolean> {
  const { active } = await read.lane(lane);
  if (active.length > 0) return false;
  const open = await read.openItems({ lane, limit: MAX_OPEN_ITEMS });
  const before = open.filter((item) => item.state === "waiting" && item.kind !== "command" && item.seq < seq);
  if (before.some((item) => countStarts(item) > 0)) return true;
  // An orderly stop returns the attempt but keeps what the turn has written.
  const [first] = before;
  return first !== undefined && (await read.entriesOfItem({ itemSeq: first.seq })).length > 0;
}
