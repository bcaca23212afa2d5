import { type Address, isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { CommandStep, ItemRow, LinkEffect, NewDelivery, SessionWrite, Store } from "@banyan/plugin-sdk/store";
import { findRouteRefusal, type RouteCheck } from "../access/judge-routes.ts";
import { buildLinkBook, buildLinkedRoutes } from "../access/link-book.ts";
import { createOneTimeCode, parseOneTimeCode } from "../access/one-time-code.ts";
import type { RouteState } from "../access/route-state.ts";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import { parseItemBody } from "../lanes/item-body.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import type { Outbox } from "../outbound/outbox.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";
import type { IdentityLinks } from "../sessions/keys/identity-links.ts";
import { createPersonName } from "../sessions/keys/person-name.ts";
import { reopenSessionEntry } from "../sessions/open-session-entry.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import { buildSessionWrite, parseSessionRow } from "../sessions/session-record.ts";
import { buildNoticeEntry, formatEntry } from "../sessions/transcript.ts";
import type { TurnAgent, TurnChannel } from "../turns/turn-parts.ts";
import type { StoppedTurn } from "../turns/turns.ts";
import { parseChatCommand } from "./chat-command.ts";
import { type Command, type CommandContext, type CommandDecision, isRunning } from "./commands/command.ts";
import { buildDroppedCommand } from "./commands/dropped-command.ts";
import { type LinkFacts, readLinkFacts } from "./commands/link-facts.ts";
import { commitCommand } from "./commit-command.ts";

const MOST_CONFLICTS = 5;
const REFUSED_LINKS =
  "That is not done: direct chats share one conversation here, and somebody would read in it what another person has written. Its operator can part the conversations first.";

export interface CommandParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly outbox: Outbox;
  readonly owner: string;
  readonly sessions: SessionCache;
  readonly routeState: RouteState;
  /** The configuration's own; its picture has them and the stored ones together. */
  readonly configuredLinks: IdentityLinks;
  /** Whose sessions a person may have. */
  readonly agentIds: readonly string[];
  readonly commands: readonly Command[];
  /** Asked before links change. */
  readonly checkRoutes?: RouteCheck | undefined;
  readonly commandNames: ReadonlySet<string>;
  getAgent(agentId: string): TurnAgent;
  getChannel(address: CommandContext["address"]): TurnChannel;
  /** `isClaimed`: the store says that one runs. */
  stopTurn(lane: string, isClaimed: boolean): Promise<StoppedTurn | undefined>;
  readonly hooks: CallableHooks;
  readonly signal: AbortSignal;
}

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
    await giveTurnBack(item.lane, hold, parts);
    throw error;
  }
  await giveTurnBack(item.lane, hold, parts);
  return 1;
}

async function decideAndCommit(item: ItemRow, hold: StopHold, parts: CommandParts): Promise<number | "gone"> {
  for (let tries = 1; tries <= MOST_CONFLICTS; tries += 1) {
    const context = await readContext(item, parts);
    // The lane was claimed anew, so that turn has ended itself: what it said is written.
    if (hold.stopped?.epoch !== context.lane.epoch) hold.stopped = undefined;
    const decided = decideCommand(findCommand(context.body.text, parts), context);
    const decision = (await isRefused(decided, parts)) ? { answer: REFUSED_LINKS } : decided;
    if (decision.stops) hold.stopped ??= await parts.stopTurn(item.lane, isRunning(context));
    const effect = buildEffect(context, decision, hold.stopped, parts.ports);
    const deliveries = [
      ...compose("command", context.address, decision.answer, context.record.key, parts),
      ...(decision.notices ?? []).flatMap(({ address, text }) => compose("notice", address, text, undefined, parts)),
    ];
    const waiting = await commitCommand({ lane: item.lane, seq: item.seq, ...effect, items: [], deliveries }, parts);
    if (waiting === "conflict") continue;
    if (waiting !== "gone" && effect.session !== undefined) announceReset(context, effect.session, parts);
    if (waiting !== "gone" && (decision.link?.writes ?? []).length > 0) await parts.routeState.refresh();
    return waiting;
  }
  throw new Error(`The command ${item.seq} was run: its lane ${item.lane} changed ${MOST_CONFLICTS} times meanwhile`);
}

/** Never rejects: what cannot be given back now, the next start takes up. */
async function giveTurnBack(lane: string, { stopped }: StopHold, parts: CommandParts): Promise<void> {
  if (stopped === undefined) return;
  const { store, ports, signal } = parts;
  const { epoch } = stopped;
  try {
    await commitPatiently(store, { step: "release", lane, epoch, giveBackAttempt: true }, ports, signal);
  } catch (error) {
    ports.log.error({ err: error, lane }, "a stopped turn is left to the next start");
  }
}

function findCommand(text: string, parts: CommandParts): Command {
  const parsed = parseChatCommand(text, parts.commandNames);
  const command = parts.commands.find(
    ({ name, aliases }) => name === parsed?.name || aliases?.includes(parsed?.name ?? ""),
  );
  return command ?? buildDroppedCommand(text);
}

function decideCommand(command: Command, context: CommandContext): CommandDecision {
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

async function readContext(item: ItemRow, parts: CommandParts): Promise<CommandContext> {
  const { store, ports } = parts;
  const { lane: key, seq, address } = item;
  if (!isAddress(address)) throw new TypeError(`The command ${seq} was run: it has no address, but ${address}`);
  const [row, lane, counts] = await Promise.all([store.read.session(key), store.read.lane(key), store.read.counts()]);
  if (row === undefined) throw new Error(`The command ${seq} was run: there is no session ${key}`);
  const record = parseSessionRow(row);
  const { id, runtime } = parts.getAgent(record.agentId);
  const body = parseItemBody(item.body);
  const context: CommandContext = {
    record,
    lane,
    address,
    body,
    rest: parseChatCommand(body.text, parts.commandNames)?.rest ?? "",
    agent: { id, runtime },
    commands: parts.commands,
    undelivered: counts.unsettledDeliveries,
    now: ports.clock.now(),
  };
  return findCommand(body.text, parts).readsLinks ? { ...context, links: await readLinks(context, parts) } : context;
}

async function readLinks({ address, body, rest }: CommandContext, parts: CommandParts): Promise<LinkFacts> {
  const { store, ports, routeState, configuredLinks, agentIds } = parts;
  // The effect is refused on an older picture, so it is taken anew here.
  const { revision, stored } = await routeState.refresh();
  return readLinkFacts(store.read, {
    revision,
    book: buildLinkBook(configuredLinks, stored),
    self: { channel: parseAddress(address).channel, peer: body.sender.id.trim() },
    code: parseOneTimeCode(rest),
    agents: agentIds,
    newCode: createOneTimeCode(ports),
    newName: createPersonName(ports),
  });
}

function compose(
  kind: "command" | "notice",
  address: Address,
  text: string,
  sessionKey: string | undefined,
  parts: CommandParts,
): readonly NewDelivery[] {
  const channel = parts.getChannel(address);
  return composeDeliveries({
    deliveryId: parts.ports.createId(),
    kind,
    address,
    text: parts.ports.scrub(text),
    limit: channel.text,
    policy: channel.policy,
    ...(sessionKey === undefined ? {} : { sessionKey }),
  });
}

function buildEffect(
  context: CommandContext,
  decision: CommandDecision,
  stopped: StoppedTurn | undefined,
  ports: Ports,
): { stop?: NonNullable<CommandStep["stop"]>; session?: SessionWrite; link?: LinkEffect } {
  const link = decision.link === undefined ? {} : { link: decision.link };
  if (!decision.stops) return link;
  const { record, lane, now } = context;
  const reset = decision.resets
    ? [formatEntry(buildNoticeEntry({ id: ports.createId(), timestamp: now }, "reset", "manual"))]
    : [];
  const stop = {
    epoch: stopped?.epoch ?? lane.epoch,
    sessionId: stopped?.sessionId ?? record.entry.sessionId,
    entries: [...(stopped?.entries ?? []), ...reset],
  };
  if (!decision.resets) return { stop, ...link };
  const entry = reopenSessionEntry(record.entry, { key: record.key, sessionId: ports.createUuid(), now });
  return { stop, session: buildSessionWrite(record, entry), ...link };
}

function announceReset({ record }: CommandContext, session: SessionWrite, parts: CommandParts): void {
  const { key: sessionKey, agentId } = record;
  parts.sessions.forget(sessionKey);
  void parts.hooks.session_end.call({ sessionKey, sessionId: record.entry.sessionId, agentId, reason: "reset" });
  void parts.hooks.session_start.call({ sessionKey, sessionId: session.sessionId, agentId, reason: "reset" });
}
