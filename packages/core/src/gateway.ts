/**
 * Builds each part once, joins their ports, and starts and stops them in order.
 *   start  recover → routes → server → commands → lanes → accounts → hook; a stop meanwhile ends it at the next arrow
 *   stop   hook → lanes (10 s, then given back) → commands → outbox → accounts → server → store
 */
import type { LifecycleHooks } from "@banyan/plugin-sdk";
import type { StoreError } from "@banyan/plugin-sdk/store";
import { createRouteState, type RouteState } from "./access/route-state.ts";
import { type ControlOperations, type ControlSocket, openControlSocket } from "./control/control-socket.ts";
import { GatewayAccounts } from "./gateway-accounts.ts";
import { getTurnAgent } from "./gateway-agents.ts";
import { startHousekeeping } from "./gateway-housekeeping.ts";
import { buildInbound, listCommands } from "./gateway-inbound.ts";
import { createMoves, type GatewayMoves } from "./gateway-moves.ts";
import { buildOperations } from "./gateway-operations.ts";
import type { GatewayLoad, GatewayOptions, StartOptions } from "./gateway-options.ts";
import { GatewayRuntimes } from "./gateway-runtimes.ts";
import { buildSubagents, type GatewaySubagents } from "./gateway-subagents.ts";
import { buildTurnTools } from "./gateway-tools.ts";
import { type CallableHooks, createLifecycleHooks } from "./hooks/lifecycle-hooks.ts";
import { openServer, type Server } from "./http/server.ts";
import { createTransport, type Transport } from "./http/transport.ts";
import { listChannelCommands } from "./inbound/commands/channel-command.ts";
import type { Inbound } from "./inbound/inbound.ts";
import { LaneScheduler } from "./lanes/lane-scheduler.ts";
import { createOutbox, type Outbox } from "./outbound/outbox.ts";
import type { AccountStatus } from "./plugins/account-status.ts";
import { commitStep } from "./ports/commit-step.ts";
import { BanyanError } from "./ports/errors.ts";
import { pause, untilAborted } from "./ports/pause.ts";
import { stopInOrder } from "./ports/stop-in-order.ts";
import { createSessionCache } from "./sessions/session-cache.ts";
import { Sessions } from "./sessions/sessions.ts";
import type { TurnParts } from "./turns/turn-parts.ts";
import { Turns } from "./turns/turns.ts";

/** How long an orderly stop waits for running turns before it gives them back. */
const STOP_GRACE_MS = 10_000;

export class Gateway {
  readonly hooks: LifecycleHooks;
  readonly sessions: Sessions;
  readonly #options: GatewayOptions;
  readonly #owner: string;
  readonly #hooks: CallableHooks;
  readonly #outbox: Outbox = createOutbox();
  readonly #routeState: RouteState;
  readonly #transport: Transport = createTransport();
  readonly #accounts: GatewayAccounts;
  readonly #turns: Turns;
  readonly #lanes: LaneScheduler;
  readonly #inbound: Inbound;
  readonly #runtimes: GatewayRuntimes;
  readonly #subagents: GatewaySubagents;
  readonly #moves: GatewayMoves;
  /** `stop` was called: `start` goes no further. */
  readonly #givingUp = new AbortController();
  readonly #stopping = new AbortController();
  #server: Server | undefined;
  #control: ControlSocket | undefined;
  #operations: ControlOperations | undefined;
  #endHousekeeping: (() => void) | undefined;
  #isOpen = false;
  #started: Promise<void> | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: GatewayOptions) {
    const { store, ports } = options;
    this.#options = options;
    this.#owner = ports.createUuid();
    this.#hooks = createLifecycleHooks(ports);
    this.hooks = this.#hooks;
    this.#runtimes = new GatewayRuntimes(options.runtimes);
    this.#routeState = createRouteState(store, options.identityLinks);
    const cache = createSessionCache();
    this.sessions = new Sessions({ store, ports, cache, defaultAgent: options.routes.defaultAgent });
    const base = {
      store,
      ports,
      owner: this.#owner,
      hooks: this.#hooks,
      outbox: this.#outbox,
      signal: this.#stopping.signal,
    };
    this.#subagents = buildSubagents({
      ...base,
      options,
      sessions: cache,
      getLanes: () => this.#lanes,
      getRuntime: (id) => this.#runtimes.get(id),
      getChannel: (address) => this.#accounts.getChannel(address),
      findThreads: (address) => this.#accounts.findThreads(address),
      stopTurn: (lane, isClaimed) => this.#turns.stop(lane, isClaimed),
    });
    const commands = listCommands(this.#subagents.commands);
    this.#accounts = new GatewayAccounts({
      ...base,
      channels: options.channels,
      transport: this.#transport,
      commands: listChannelCommands(commands),
      migrateChat: (_place, move) => this.#moves.migrateChat(move),
    });
    const blockedPaths = options.stateDir === undefined ? [] : [options.stateDir];
    const turnParts: TurnParts = {
      ...base,
      sessions: cache,
      tools: buildTurnTools({ ports, hooks: this.#hooks, blockedPaths, sessionTools: this.#subagents.tools }),
      getAgent: (session) => getTurnAgent(options, session),
      getRuntime: (id) => this.#runtimes.get(id),
      getChannel: (address) => this.#accounts.getChannel(address),
      runs: this.#subagents.parts,
    };
    this.#turns = new Turns(turnParts);
    this.#lanes = new LaneScheduler({
      store,
      ports,
      owner: this.#owner,
      mostRunning: options.mostRunningTurns,
      runTurn: (claim) => this.#turns.run(claim),
      findRevision: (lane) => cache.find(lane)?.revision,
      signal: this.#stopping.signal,
    });
    const { routes } = options;
    this.#inbound = buildInbound({
      ...turnParts,
      turns: this.#turns,
      lanes: this.#lanes,
      routes,
      routeState: this.#routeState,
      onPairing: options.onPairing,
      configuredLinks: options.identityLinks,
      checkRoutes: options.checkRoutes,
      agentIds: Object.keys(options.agents),
      commands,
    });
    const [turns, lanes, inbound, routeState] = [this.#turns, this.#lanes, this.#inbound, this.#routeState];
    this.#moves = createMoves({ ...turnParts, turns, lanes, inbound, routeState });
  }

  /** The web chat's address without its token. Throws before `start`. */
  get url(): string {
    if (this.#server === undefined)
      throw new Error("The gateway's address was read: it has not started; await start()");
    return this.#server.url;
  }

  /**
   * Opens everything in order; resolves when each account runs or its first try has failed. Rejects with a clear error
   * when the server or the store cannot open, then call `stop`; with an `AbortError` when `stop` was called meanwhile.
   */
  start(options: StartOptions = {}): Promise<void> {
    this.#started ??= this.#start(options);
    return this.#started;
  }

  async #start({ onListening }: StartOptions): Promise<void> {
    const { store, ports, stateDir } = this.#options;
    const { signal } = this.#givingUp;
    signal.throwIfAborted();
    store.onFailure((error) => this.#onStoreFailure(error));
    const recovered = await commitStep(store, { step: "recover", owner: this.#owner });
    signal.throwIfAborted();
    if (recovered.lanes + recovered.deliveries > 0) {
      ports.log.info(
        { turns: recovered.lanes, deliveries: recovered.deliveries },
        "an earlier process left these unfinished",
      );
    }
    await this.#routeState.refresh();
    signal.throwIfAborted();
    const open = this.#options.openServer ?? openServer;
    this.#server = await open({ ...this.#options.server, log: ports.log, health: () => this.health() });
    signal.throwIfAborted();
    this.#options.mountPages?.(this.#server);
    if (stateDir !== undefined) this.#control = await openControlSocket(stateDir, this.operations, ports.scrub);
    signal.throwIfAborted();
    await this.#inbound.resume();
    signal.throwIfAborted();
    await this.#lanes.resume();
    signal.throwIfAborted();
    this.#endHousekeeping = startHousekeeping(store, ports);
    this.#accounts.open(this.#inbound, this.#server);
    await Promise.race([this.#accounts.settled("operator"), untilAborted(signal)]);
    signal.throwIfAborted();
    onListening?.();
    await Promise.race([this.#accounts.settled("all"), untilAborted(signal)]);
    signal.throwIfAborted();
    this.#isOpen = true;
    // A tap may stop the gateway, and the stop waits for this.
    await Promise.race([this.#hooks.gateway_start.call({ at: ports.clock.now() }), untilAborted(signal)]);
  }

  get load(): GatewayLoad {
    const { size: lanes } = this.#lanes;
    return { turns: this.#turns.running, lanes, commands: this.#inbound.busyLanes, chats: this.#outbox.busyChats };
  }

  /** `ok` once the store is open and every account runs or has failed. */
  health(): {
    readonly status: "starting" | "ok" | "stopping";
    readonly version: string;
    readonly accounts: Readonly<Record<string, AccountStatus>>;
  } {
    const status = this.#stopped !== undefined ? "stopping" : this.#isOpen ? "ok" : "starting";
    return { status, version: this.#options.version, accounts: this.#accounts.statuses() };
  }

  /** Stops in order, a start under way first; nothing is lost. Repeatable. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { store, ports } = this.#options;
    const quiet = this.#lanes.close();
    this.#givingUp.abort(new DOMException("The gateway was started: it was stopped meanwhile", "AbortError"));
    // How the start ends is told to its caller.
    await Promise.allSettled([this.#started]);
    await stopInOrder(ports.log, [
      () => (this.#isOpen ? this.#hooks.gateway_stop.call({ at: ports.clock.now() }) : undefined),
      () => this.#endHousekeeping?.(),
      () => Promise.race([quiet, pause(ports.clock, STOP_GRACE_MS, this.#stopping.signal)]),
      () => ports.faultPoint("shutdown"),
      () => this.#turns.releaseAll(),
      // Whoever still waits for space on the disk waits no longer.
      () => this.#stopping.abort(),
      () => quiet,
      () => this.#inbound.close(),
      () => this.#accounts.giveUpConnecting(),
      // A send that hangs is cut off with its account; the next start decides about it.
      () => Promise.race([this.#outbox.close(), pause(ports.clock, STOP_GRACE_MS, new AbortController().signal)]),
      () => this.#accounts.close(),
      () => this.#control?.close(),
      () => this.#server?.close(),
      () => this.#transport.close(),
      () => store.close(),
      () => this.#options.onStopped?.(),
    ]);
  }

  #onStoreFailure(error: StoreError): void {
    this.#options.ports.log.error({ err: error }, "the store has failed; the gateway stops");
    this.#stopping.abort();
    this.#options.onFailure?.(new BanyanError("store_failed", `The store failed: ${error.message}`, { cause: error }));
  }

  /** What the command line asks over the control socket, for a program that embeds the gateway. */
  get operations(): ControlOperations {
    this.#operations ??= buildOperations({
      options: this.#options,
      outbox: this.#outbox,
      getChannel: (address) => this.#accounts.getChannel(address),
      routeState: this.#routeState,
      moveLanes: this.#moves.moveLanes,
      getUrl: () => this.url,
      readStatus: () => ({ ...this.health(), running: this.#turns.running }),
    });
    return this.#operations;
  }
}
