import { isAddress } from "@banyan/plugin-sdk";
import type { CommandStep, ItemRow, SessionWrite, StepResult, Store } from "@banyan/plugin-sdk/store";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import { parseItemBody } from "../lanes/item-body.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { Outbox } from "../outbound/outbox.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import { reopenSessionEntry } from "../sessions/open-session-entry.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import { buildSessionWrite, parseSessionRow } from "../sessions/session-record.ts";
import { buildNoticeEntry, formatEntry } from "../sessions/transcript.ts";
import type { TurnAgent, TurnChannel } from "../turns/turn-parts.ts";
import type { StoppedTurn } from "../turns/turns.ts";
import { parseChatCommand } from "./chat-command.ts";
import type { Command, CommandContext, CommandDecision } from "./commands/command.ts";

const MOST_CONFLICTS = 5;

export interface CommandParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly outbox: Outbox;
  readonly owner: string;
  readonly sessions: SessionCache;
  readonly commands: readonly Command[];
  readonly commandNames: ReadonlySet<string>;
  getAgent(agentId: string): TurnAgent;
  getChannel(address: CommandContext["address"]): TurnChannel;
  stopTurn(lane: string): Promise<StoppedTurn | undefined>;
  readonly hooks: CallableHooks;
  readonly signal: AbortSignal;
}

/**
 * Runs one stored command: reads, decides, and commits effect, answer and end of the item in one step. Resolves with
 * the number of items left in its lane. A conflict means that the lane moved on meanwhile: it is decided again.
 */
export async function runCommand(item: ItemRow, parts: CommandParts): Promise<number> {
  let stopped: StoppedTurn | undefined;
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const context = await readContext(item, parts);
    if (context === undefined) return 0;
    const command = findCommand(item, parts);
    const decision = command.decide(context);
    if (decision.stops) stopped ??= await parts.stopTurn(item.lane);
    const waiting = await commitCommand(item, context, decision, stopped, parts);
    if (waiting !== "conflict") return waiting;
  }
  throw new Error(
    `The command ${item.seq} was run: its lane ${item.lane} changed ${MOST_CONFLICTS} times; it is run at the next start`,
  );
}

function findCommand(item: ItemRow, parts: CommandParts): Command {
  const parsed = parseChatCommand(parseItemBody(item.body).text, parts.commandNames);
  const command = parts.commands.find(
    ({ name, aliases }) => name === parsed?.name || aliases?.includes(parsed?.name ?? ""),
  );
  if (command === undefined) throw new Error(`The command ${item.seq} was run: no command is called ${parsed?.name}`);
  return command;
}

async function readContext(item: ItemRow, parts: CommandParts): Promise<CommandContext | undefined> {
  const { store, ports } = parts;
  const [row, lane, counts] = await Promise.all([
    store.read.session(item.lane),
    store.read.lane(item.lane),
    store.read.counts(),
  ]);
  if (row === undefined || !isAddress(item.address)) return undefined;
  const record = parseSessionRow(row);
  const { id, runtime } = parts.getAgent(record.agentId);
  const body = parseItemBody(item.body);
  return {
    record,
    lane,
    address: item.address,
    body,
    rest: parseChatCommand(body.text, parts.commandNames)?.rest ?? "",
    agent: { id, runtime },
    commands: parts.commands,
    undelivered: counts.unsettledDeliveries,
    now: ports.clock.now(),
  };
}

async function commitCommand(
  item: ItemRow,
  context: CommandContext,
  decision: CommandDecision,
  stopped: StoppedTurn | undefined,
  parts: CommandParts,
): Promise<number | "conflict"> {
  const { store, ports, outbox } = parts;
  const channel = parts.getChannel(context.address);
  const composed = composeDeliveries({
    deliveryId: ports.createId(),
    kind: "command",
    address: context.address,
    text: decision.answer,
    limit: channel.text,
    policy: channel.policy,
    sessionKey: item.lane,
  });
  const deliveries = outbox.reserve(composed, parts.owner);
  const step: CommandStep = {
    step: "command",
    lane: item.lane,
    seq: item.seq,
    ...buildEffect(context, decision, stopped, ports),
    items: [],
    deliveries,
  };
  const committed = await commitOrRelease(step, parts);
  const [first] = deliveries;
  // `already` after a repeat is our own commit: its answer stands in the store under the id made above.
  const isOurs =
    committed.status === "already" && first !== undefined && (await store.read.delivery(first.id)) !== undefined;
  if (committed.status !== "done" && !isOurs) {
    outbox.release(deliveries);
    return committed.status === "refused" && committed.reason === "conflict" ? "conflict" : 0;
  }
  if (step.session !== undefined) announceReset(context, step.session, parts);
  outbox.enqueue(deliveries);
  return committed.status === "done" ? committed.waiting : 1;
}

async function commitOrRelease(step: CommandStep, parts: CommandParts): Promise<StepResult<CommandStep>> {
  const { store, ports, outbox } = parts;
  try {
    ports.faultPoint("command.before");
    const committed = await commitPatiently(store, step, ports, parts.signal);
    ports.faultPoint("command.after");
    return committed;
  } catch (error) {
    outbox.release(step.deliveries);
    throw error;
  }
}

function buildEffect(
  context: CommandContext,
  decision: CommandDecision,
  stopped: StoppedTurn | undefined,
  ports: Ports,
): { stop?: NonNullable<CommandStep["stop"]>; session?: SessionWrite } {
  if (!decision.stops) return {};
  const { record, lane, now } = context;
  const reset = decision.resets
    ? [formatEntry(buildNoticeEntry({ id: ports.createId(), timestamp: now }, "reset", "manual"))]
    : [];
  const stop = {
    epoch: stopped?.epoch ?? lane.epoch,
    sessionId: stopped?.sessionId ?? record.entry.sessionId,
    entries: [...(stopped?.entries ?? []), ...reset],
  };
  if (!decision.resets) return { stop };
  const entry = reopenSessionEntry(record.entry, { key: record.key, sessionId: ports.createUuid(), now });
  return { stop, session: buildSessionWrite(record, entry) };
}

function announceReset({ record }: CommandContext, session: SessionWrite, parts: CommandParts): void {
  const { key: sessionKey, agentId } = record;
  parts.sessions.forget(sessionKey);
  void parts.hooks.session_end.call({ sessionKey, sessionId: record.entry.sessionId, agentId, reason: "reset" });
  void parts.hooks.session_start.call({ sessionKey, sessionId: session.sessionId, agentId, reason: "reset" });
}
