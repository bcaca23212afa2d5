import { type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import { type AccountHealth, decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import { type IIdentifyThrottler, type SessionInfo, WebSocketShardEvents } from "@discordjs/ws";
import type { REST } from "discord.js";
import type { FaultReport } from "../fault-report.ts";
import { noteSession } from "../state/account-state.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import { findFinalClose } from "./close-code.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import { findGatewayUrl, readStartLimit } from "./gateway-facts.ts";
import { GatewayManager } from "./gateway-manager.ts";
import { createIdentifyThrottle } from "./identify-throttle.ts";

export interface GatewayClientOptions extends Pick<ChannelContext<unknown>, "clock" | "log"> {
  readonly rest: REST;
  readonly token: string;
  readonly intents: number;
  readonly isPaced: boolean;
  readonly keeper: StateKeeper;
  readonly health: AccountHealth;
  readonly reportFault: FaultReport;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onEvent: (event: GatewayEvent) => void;
}

const ATTEMPT = "Connecting to Discord's gateway";
/** Discord answers within a second or two. */
const OPENED_WITHIN_MS = 10_000;
/** Then the other end says nothing any more. */
const CLOSED_WITHIN_MS = 2_000;
/** One failure is followed by another try at once, at the address for everybody: the one for resuming may be gone. */
const SILENT_FAILURES = 1;
/** 1000 and 1001 end a session at once (Discord documentation, "Gateway": initiating a disconnect). */
const RESUMABLE_CLOSE = 4200;

/**
 * The connection to Discord's gateway: resumes the stored sessions, or begins new ones. @discordjs/ws does the wire; which
 * session and from where is decided here. Connects in the background until the signal aborts.
 */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #throttle: IIdentifyThrottler;
  /** Another one after a rewind: the one before may still speak, and is heard no more. */
  #manager: GatewayManager;
  /** What came last on each shard, stored or not: where a connection that breaks in this process goes on. */
  readonly #live = new Map<number, SessionInfo>();
  #failures = 0;
  #isNetworkDown = false;
  #lastClose = 0;
  #settle: (() => void) | undefined;
  #failure: ChannelError | undefined;
  readonly #settled: Promise<void>;

  constructor(options: GatewayClientOptions) {
    this.#options = options;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { rest, health } = options;
    this.#throttle = createIdentifyThrottle({
      ...options,
      readLimit: () => readStartLimit(rest),
      onSpent: (waitMs) => health.retry(buildSpentError(waitMs)),
      onTrouble: (error) => this.#complain(error),
    });
    this.#manager = this.#createManager();
    void this.#connect();
  }

  /**
   * Resolves when the account is heard for the first time, or when that takes longer than it should: then it goes on in the
   * background. Rejects with a `ChannelError` where Discord never will.
   */
  async opened(): Promise<void> {
    const { clock, signal } = this.#options;
    const late = new AbortController();
    await Promise.race([this.#settled, pause(clock, OPENED_WITHIN_MS, AbortSignal.any([signal, late.signal]))]);
    late.abort();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Goes on behind what is stored: what came since then is sent again, and counts only then. */
  async rewind(): Promise<void> {
    const old = this.#manager;
    this.#manager = this.#createManager();
    this.#live.clear();
    await this.#end(old, "too much waits");
    await this.#connect();
  }

  /** Leaves the sessions open at Discord, to be resumed. Call it once the signal has aborted. */
  async close(): Promise<void> {
    await this.#end(this.#manager, "the account is stopped");
  }

  /** Where the library waits for the first words of Discord, its own end is lost in another one that it begins itself. */
  async #end(manager: GatewayManager, reason: string): Promise<void> {
    const ended = new AbortController();
    const destroyed = manager.destroy({ code: RESUMABLE_CLOSE, reason });
    await Promise.race([destroyed, pause(this.#options.clock, CLOSED_WITHIN_MS, ended.signal)]);
    ended.abort();
  }

  #createManager(): GatewayManager {
    const { rest, token, intents } = this.#options;
    const manager: GatewayManager = new GatewayManager({
      rest,
      token,
      intents,
      buildIdentifyThrottler: () => this.#throttle,
      retrieveSessionInfo: (shard) => this.#findSession(shard, manager),
      updateSessionInfo: (shard, session) => this.#noteSession(shard, session, manager),
    });
    this.#watch(manager);
    return manager;
  }

  async #findSession(shard: number, manager: GatewayManager): Promise<SessionInfo | null> {
    const { signal, clock, random, keeper } = this.#options;
    const isRepeated = this.#isNetworkDown;
    const repeats = this.#failures - SILENT_FAILURES;
    if (repeats > 0) await pause(clock, decideBackoffMs(repeats, random()), signal);
    const known = this.#live.get(shard) ?? findStored(keeper, shard);
    const session = known === null || !isRepeated ? known : await this.#readdress(known);
    // The library has no way to be stopped while it waits to connect again.
    return signal.aborted || manager !== this.#manager ? new Promise<never>(() => undefined) : session;
  }

  /** The address for resuming may be gone for good; the one for everybody takes sessions, too, where it can be learnt. */
  async #readdress(session: SessionInfo): Promise<SessionInfo> {
    const url = await findGatewayUrl(this.#options.rest);
    return url === undefined ? session : { ...session, resumeURL: url };
  }

  #noteSession(shard: number, session: SessionInfo | null, manager: GatewayManager): void {
    if (manager !== this.#manager) return;
    if (session !== null) {
      this.#live.set(shard, session);
      return;
    }
    // A network that is down says nothing of the session.
    if (this.#options.signal.aborted || this.#isNetworkDown) return;
    this.#live.delete(shard);
    this.#options.keeper.note((state) => noteSession(state, shard, null, Math.max(state.shards.length, shard + 1)));
  }

  #watch(manager: GatewayManager): void {
    const { health, log, reportFault, signal } = this.#options;
    const onEvent = (event: GatewayEvent): void => {
      if (manager === this.#manager) this.#options.onEvent(event);
    };
    manager.on(WebSocketShardEvents.Dispatch, (payload, shard) => onEvent({ kind: "dispatch", shard, payload }));
    manager.on(WebSocketShardEvents.Ready, (data, shard) => {
      onEvent({ kind: "ready", shard, shards: this.#live.get(shard)?.shardCount ?? 1, data });
      this.#recover();
    });
    manager.on(WebSocketShardEvents.Resumed, (shard) => {
      onEvent({ kind: "resumed", shard });
      this.#recover();
    });
    manager.on(WebSocketShardEvents.Hello, () => {
      this.#isNetworkDown = false;
      this.#failures = 0;
    });
    manager.on(WebSocketShardEvents.SocketError, (error) => {
      this.#isNetworkDown = true;
      this.#failures += 1;
      if (!signal.aborted && this.#failures > SILENT_FAILURES) health.retry(reportFault(ATTEMPT, error));
    });
    manager.on(WebSocketShardEvents.Closed, (code, shard) => {
      this.#lastClose = code;
      log.debug({ code, shard }, "Discord's gateway connection was closed");
    });
    manager.on(WebSocketShardEvents.Error, (error) => this.#fail(error));
  }

  #recover(): void {
    this.#options.health.recover();
    this.#settle?.();
  }

  #fail(error: Error): void {
    const final = findFinalClose(this.#lastClose);
    if (final === undefined) this.#options.log.warn({ err: error }, "Discord's gateway connection has trouble");
    else this.#giveUp(new ChannelError(final.class, `${ATTEMPT}: ${final.what}; ${final.advice}`));
  }

  #giveUp(failure: ChannelError): void {
    this.#failure = failure;
    this.#options.health.fail(failure);
    this.#settle?.();
  }

  /** What cannot be asked of Discord now: it is tried again, unless the token is none. */
  #complain(error: unknown): "final" | "again" {
    const fault = this.#options.reportFault(ATTEMPT, error);
    if (fault.class === "unauthorized") {
      this.#giveUp(fault);
      return "final";
    }
    this.#options.health.retry(fault);
    return "again";
  }

  async #connect(): Promise<void> {
    const { signal, clock, random } = this.#options;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await this.#manager.connect();
        return;
      } catch (error) {
        if (signal.aborted || findFinalClose(this.#lastClose) !== undefined) return;
        if (this.#complain(error) === "final") return;
        await pause(clock, decideBackoffMs(tries, random()), signal);
      }
    }
  }
}

function findStored({ state }: StateKeeper, shard: number): SessionInfo | null {
  const session = state.shards[shard];
  if (session === undefined || session === null) return null;
  const { id: sessionId, url: resumeURL, seq: sequence } = session;
  return { sessionId, resumeURL, sequence, shardId: shard, shardCount: state.shards.length };
}

function buildSpentError(waitMs: number): ChannelError {
  const hours = (waitMs / 3_600_000).toFixed(1);
  return new ChannelError(
    "definite",
    `${ATTEMPT}: the day's sessions of this bot are used up; it goes on in ${hours} h, and whatever else uses the token should be stopped`,
  );
}
