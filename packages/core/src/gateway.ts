/**
 * Builds each part once, joins their ports, and starts and stops them in order.
 *   start  recover → routes → server → sweep → commands → lanes → timers → accounts → hook; a stop meanwhile ends it at the next arrow
 *   stop   hook → lanes and timers (10 s, then given back) → commands → outbox → accounts → server → store
 */
import type { LifecycleHooks, Log } from "@banyan/plugin-sdk";
import type { StoreError } from "@banyan/store";
import { type ControlOperations, type ControlSocket, openControlSocket } from "./control/control-socket.ts";
import { createFilePruner } from "./gateway-files.ts";
import { startHousekeeping } from "./gateway-housekeeping.ts";
import { buildOperations } from "./gateway-operations.ts";
import type { GatewayLoad, GatewayOptions, StartOptions } from "./gateway-options.ts";
import { buildGatewayParts, type GatewayParts } from "./gateway-parts.ts";
import { openServer, type Server } from "./http/server.ts";
import type { AccountStatus } from "./plugins/account-status.ts";
import { commitStep } from "./ports/commit-step.ts";
import { BanyanError } from "./ports/errors.ts";
import { pause, untilAborted } from "./ports/pause.ts";
import type { FindLiveNote } from "./runs/run-record.ts";
import { Sessions } from "./sessions/sessions.ts";
import { lookAtBoundThreads } from "./subagents/look-at-threads.ts";
import { sweepRuns } from "./subagents/sweep-runs.ts";

/** How long an orderly stop waits for running turns before it gives them back. */
const STOP_GRACE_MS = 10_000;

export class Gateway {
  readonly hooks: LifecycleHooks;
  readonly sessions: Sessions;
  readonly #options: GatewayOptions;
  readonly #parts: GatewayParts;
  /** `stop` was called: `start` goes no further. */
  readonly #givingUp = new AbortController();
  readonly #stopping = new AbortController();
  #server: Server | undefined;
  #control: ControlSocket | undefined;
  #operations: ControlOperations | undefined;
  #endHousekeeping: (() => void) | undefined;
  /** Whether the threads that sub-agents live in are still there. */
  #looking: Promise<void> | undefined;
  #isOpen = false;
  /** What an earlier process left is taken up: commands run now. */
  #runsCommands = false;
  #started: Promise<void> | undefined;
  /** Why the store has failed. */
  #failure: string | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: GatewayOptions) {
    const { store, ports, routes } = options;
    this.#options = options;
    this.#parts = buildGatewayParts(options, this.#stopping.signal);
    const { hooks, sessions: cache } = this.#parts;
    this.hooks = hooks;
    const endConversation = (key: string) => this.#endConversation(key);
    this.sessions = new Sessions({ store, ports, cache, defaultAgent: routes.defaultAgent, endConversation });
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
    const recovered = await commitStep(store, { step: "recover", owner: this.#parts.owner });
    signal.throwIfAborted();
    if (recovered.lanes + recovered.deliveries > 0) {
      ports.log.info(
        { turns: recovered.lanes, deliveries: recovered.deliveries },
        "an earlier process left these unfinished",
      );
    }
    await this.#parts.routeState.refresh();
    signal.throwIfAborted();
    const open = this.#options.openServer ?? openServer;
    this.#server = await open({ ...this.#options.server, log: ports.log, health: () => this.health() });
    signal.throwIfAborted();
    this.#options.mountPages?.(this.#server);
    if (stateDir !== undefined) this.#control = await openControlSocket(stateDir, this.operations, ports.scrub);
    signal.throwIfAborted();
    await this.#sweep(signal);
    await this.#parts.inbound.resume();
    signal.throwIfAborted();
    await this.#parts.lanes.resume();
    signal.throwIfAborted();
    this.#runsCommands = true;
    this.#parts.subagents.timers.start();
    const pruner = createFilePruner(this.#options, this.#parts.files);
    this.#endHousekeeping = startHousekeeping(store, ports, this.#parts.subagents.parts.limits, pruner);
    this.#parts.accounts.open(this.#parts.inbound, this.#server);
    const looking = AbortSignal.any([signal, this.#stopping.signal]);
    this.#looking = lookAtBoundThreads({ ...this.#parts.subagents.parts, signal: looking });
    await Promise.race([this.#parts.accounts.settled("operator"), untilAborted(signal)]);
    signal.throwIfAborted();
    onListening?.();
    await Promise.race([this.#parts.accounts.settled("all"), untilAborted(signal)]);
    signal.throwIfAborted();
    this.#isOpen = true;
    // A tap may stop the gateway, and the stop waits for this.
    await Promise.race([this.#parts.hooks.gateway_start.call({ at: ports.clock.now() }), untilAborted(signal)]);
  }

  /** What earlier processes left of runs. A disk without room is waited for, but not by a gateway that is to stop. */
  async #sweep(signal: AbortSignal): Promise<void> {
    try {
      await sweepRuns({ ...this.#parts.subagents.parts, signal: AbortSignal.any([signal, this.#stopping.signal]) });
      this.#parts.subagents.statuses.wake();
    } finally {
      signal.throwIfAborted();
    }
  }

  /** What an earlier process left is taken up first: only then is it known what has to end. */
  async #endConversation(key: string): Promise<boolean> {
    if (this.#runsCommands) return this.#parts.inbound.reset(key);
    throw new Error(`The session ${key} was reset: the gateway has not started; await start() first`);
  }

  /** What a run at work here says just now, in one line; `undefined` where it says nothing, or is not here. */
  readonly findLiveNote: FindLiveNote = (run) => this.#parts.turns.findLiveNote(run);

  get load(): GatewayLoad {
    const { size: lanes } = this.#parts.lanes;
    return {
      turns: this.#parts.turns.running,
      lanes,
      commands: this.#parts.inbound.busyLanes,
      chats: this.#parts.outbox.busyChats,
    };
  }

  /** `ok` once the store is open and every account runs or has failed; `failed` when nothing can be stored any more. */
  health(): {
    readonly status: "starting" | "ok" | "failed" | "stopping";
    readonly version: string;
    readonly accounts: Readonly<Record<string, AccountStatus>>;
  } {
    const alive = this.#failure !== undefined ? "failed" : this.#isOpen ? "ok" : "starting";
    const status = this.#stopped !== undefined ? "stopping" : alive;
    return { status, version: this.#options.version, accounts: this.#parts.accounts.statuses() };
  }

  /** Stops in order, a start under way first; nothing is lost. Repeatable. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { store, ports } = this.#options;
    const quiet = this.#parts.lanes.close();
    // One that hangs is due again at the next start.
    const timersQuiet = this.#parts.subagents.timers.close();
    this.#givingUp.abort(new DOMException("The gateway was started: it was stopped during the start", "AbortError"));
    // How the start ends is told to its caller.
    await Promise.allSettled([this.#started]);
    await stopInOrder(ports.log, [
      () => (this.#isOpen ? this.#parts.hooks.gateway_stop.call({ at: ports.clock.now() }) : undefined),
      () => this.#endHousekeeping?.(),
      () => this.#looking,
      () => this.#parts.turns.releaseAsking(),
      () => Promise.race([Promise.all([quiet, timersQuiet]), pause(ports.clock, STOP_GRACE_MS, this.#stopping.signal)]),
      () => ports.faultPoint("shutdown"),
      () => this.#parts.turns.releaseAll(),
      // Whoever still waits for space on the disk waits no longer.
      () => this.#stopping.abort(),
      () => quiet,
      () => this.#parts.runtimes.close(),
      () => this.#parts.inbound.close(),
      () => this.#parts.accounts.giveUpConnecting(),
      // A send that hangs is cut off with its account; the next start decides about it.
      () => Promise.race([this.#parts.outbox.close(), pause(ports.clock, STOP_GRACE_MS, new AbortController().signal)]),
      () => this.#parts.accounts.close(),
      () => this.#control?.close(),
      () => this.#server?.close(),
      () => this.#parts.transport.close(),
      () => store.close(),
      () => this.#options.onStopped?.(),
    ]);
  }

  #onStoreFailure(error: StoreError): void {
    this.#options.ports.log.error({ err: error }, "the store has failed; the gateway stops");
    this.#failure = error.message;
    this.#stopping.abort();
    this.#options.onFailure?.(new BanyanError("store_failed", `The store failed: ${error.message}`, { cause: error }));
  }

  /** What the command line asks over the control socket, for a program that embeds the gateway. */
  get operations(): ControlOperations {
    this.#operations ??= buildOperations({
      options: this.#options,
      outbox: this.#parts.outbox,
      getChannel: (address) => this.#parts.accounts.getChannel(address),
      routeState: this.#parts.routeState,
      subagents: this.#parts.subagents.parts,
      moveLanes: this.#parts.moves.moveLanes,
      getUrl: () => this.url,
      readStatus: () => ({
        ...this.health(),
        failure: this.#failure,
        running: this.#parts.turns.running,
        tools: this.#parts.tools.readCounts(),
      }),
    });
    return this.#operations;
  }
}

/** Stops one part after the other. One that fails, such as a failed store, does not leave the others open. */
async function stopInOrder(log: Log, parts: readonly (() => unknown)[]): Promise<void> {
  for (const stop of parts) {
    try {
      await stop();
    } catch (error) {
      log.error({ err: error }, "a part of the gateway did not stop in order");
    }
  }
}
