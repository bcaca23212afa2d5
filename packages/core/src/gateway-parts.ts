import type { Address } from "@banyan/plugin-sdk";
import { createBudgetDesk } from "./budgets/budget-desk.ts";
import { createPriceBook, type PriceBook } from "./budgets/price-book.ts";
import { getRunLimits } from "./config/shapes/limits-config.ts";
import { GatewayAccounts } from "./gateway-accounts.ts";
import { getTurnAgent } from "./gateway-agents.ts";
import { buildInbound, listCommands } from "./gateway-inbound.ts";
import { createMoves, type GatewayMoves } from "./gateway-moves.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { getQueueRules } from "./gateway-queue-rules.ts";
import { GatewayRuntimes } from "./gateway-runtimes.ts";
import { buildSubagents, type GatewaySubagents } from "./gateway-subagents.ts";
import { resolveThreadRules } from "./gateway-thread-rules.ts";
import { buildTurnTools, type GatewayTools } from "./gateway-tools.ts";
import { type CallableHooks, createLifecycleHooks } from "./hooks/lifecycle-hooks.ts";
import { createTransport, type Transport } from "./http/transport.ts";
import { listChannelCommands } from "./inbound/commands.ts";
import type { Inbound } from "./inbound/receive.ts";
import { createRouteState, type RouteState } from "./inbound/route-state.ts";
import { LaneScheduler, type LaneSchedulerParts } from "./lanes/lane-scheduler.ts";
import { createOutbox, type Outbox } from "./outbound/outbox.ts";
import { createOutgoingFiles, type OutgoingFiles } from "./outbound/outgoing-files.ts";
import { createSessionCache, type SessionCache } from "./sessions/session-cache.ts";
import { freeGoneThread, freeThread } from "./subagents/free-gone-thread.ts";
import type { TurnParts } from "./turns/turn-parts.ts";
import { Turns } from "./turns/turns.ts";

/** Everything a gateway is made of, joined. */
export interface GatewayParts {
  readonly owner: string;
  readonly hooks: CallableHooks;
  readonly outbox: Outbox;
  /** Absent without a state directory. */
  readonly files: OutgoingFiles | undefined;
  readonly sessions: SessionCache;
  readonly routeState: RouteState;
  readonly transport: Transport;
  readonly accounts: GatewayAccounts;
  readonly turns: Turns;
  readonly tools: GatewayTools;
  readonly lanes: LaneScheduler;
  readonly inbound: Inbound;
  readonly subagents: GatewaySubagents;
  readonly moves: GatewayMoves;
  readonly runtimes: GatewayRuntimes;
}

/** Builds each part once. What must look up to one that is made later asks for it when it needs it. */
export function buildGatewayParts(options: GatewayOptions, signal: AbortSignal): GatewayParts {
  const { store, ports, routes } = options;
  const owner = ports.createUuid();
  const hooks = createLifecycleHooks(ports);
  const outbox = createOutbox();
  const sessions = createSessionCache();
  const transport = createTransport();
  const runtimes = new GatewayRuntimes(options.runtimes, { ended: hooks.session_end, log: ports.log });
  const routeState = createRouteState(store, options.identityLinks);
  const files = options.stateDir === undefined ? undefined : createOutgoingFiles(options.stateDir, ports);
  const base = { store, ports, owner, hooks, outbox, files, sessions, transport, routes, routeState, signal };
  const getRuntime = (id: string) => runtimes.get(id);
  const getChannel = (address: Address) => accounts.getChannel(address);
  const subagents: GatewaySubagents = buildSubagents({
    ...base,
    options,
    getRuntime,
    getChannel,
    getLanes: () => lanes,
    findThreads: (address) => accounts.findThreads(address),
    whenTried: (address) => accounts.whenTried(address),
    stopTurn: (lane, isClaimed) => turns.stop(lane, isClaimed),
    findLiveNote: (run) => turns.findLiveNote(run),
    listHeard: (lane) => turns.listHeard(lane),
  });
  const commands = listCommands(subagents, options, routeState);
  const accounts: GatewayAccounts = new GatewayAccounts({
    ...base,
    channels: options.channels,
    findThreadRules: (place) => resolveThreadRules(options, place),
    commands: listChannelCommands(commands),
    migrateChat: (_place, move) => moves.migrateChat(move),
    onThreadGone: (address) => void freeGoneThread(address, subagents.parts),
    freeThread: (address, notice) => freeThread(address, subagents.parts, notice),
  });
  const tools = buildTurnTools({ ...base, options, accounts, sessionTools: subagents.tools });
  const turnParts: TurnParts = {
    ...base,
    tools,
    readAttachment: tools.readAttachment,
    getAgent: (session) => getTurnAgent(options, session),
    getQueueRules: (session, address) => getQueueRules(options, session, address),
    getRuntime,
    getChannel,
    runs: subagents.parts,
    questions: subagents.questions,
    budgets: createBudgetDesk({ read: store.read, now: () => ports.clock.now() }),
    prices: createPrices(options),
    ...joinLanes(() => lanes),
  };
  const turns: Turns = new Turns(turnParts);
  const lanes: LaneScheduler = createLanes({ ...base, options, turns });
  const inbound = buildInbound({
    ...subagents.parts,
    lanes,
    routes,
    routeState,
    commands,
    getAgent: turnParts.getAgent,
    getQueueRules: turnParts.getQueueRules,
    onPairing: options.onPairing,
  });
  const moves: GatewayMoves = createMoves({ ...turnParts, routeState, turns, lanes, inbound });
  return { ...base, transport, accounts, turns, tools, lanes, inbound, subagents, moves, runtimes };
}

/** What turns tell the lanes of theirs, which are built after them. */
function joinLanes(getLanes: () => LaneScheduler): Pick<TurnParts, "rest" | "noteProgress"> {
  return {
    rest: (lane, work) => getLanes().rest(lane, work),
    noteProgress: (lane) => getLanes().noteProgress(lane),
  };
}

function createPrices({ prices = {}, loadPrices, ports: { log } }: GatewayOptions): PriceBook {
  return createPriceBook({ prices, log, ...(loadPrices === undefined ? {} : { loadSource: loadPrices }) });
}

interface LaneParts extends Pick<LaneSchedulerParts, "store" | "ports" | "owner" | "signal"> {
  readonly options: Pick<GatewayOptions, "limits" | "mostRunningTurns">;
  readonly turns: Turns;
  readonly sessions: SessionCache;
}

function createLanes({ options, turns, sessions, ...base }: LaneParts): LaneScheduler {
  return new LaneScheduler({
    ...base,
    mostRunning: options.mostRunningTurns,
    mostChildren: getRunLimits(options.limits).maxConcurrent,
    runTurn: (claim) => turns.run(claim),
    offer: (lane) => turns.offer(lane),
    choose: (lane, isResumed) => turns.choose(lane, isResumed),
    measureQuietMs: (lane) => turns.measureQuietMs(lane),
    findRevision: (lane) => sessions.find(lane)?.revision,
  });
}
