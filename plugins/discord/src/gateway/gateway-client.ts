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
/** After this the other end no longer answers. */
const CLOSED_WITHIN_MS = 2_000;
/** After one failure it reconnects at once, to the general URL: the one for resuming may be gone. */
const SILENT_FAILURES = 1;
/**
 * After HELLO and RESUME, and after each event that is replayed. Discord answers at once; with a server that never does, the account would receive nothing.
 */
const RESUME_TIMEOUT_MS = 20_000;
/** 1000 and 1001 end a session at once (Discord documentation, "Gateway": initiating a disconnect). */
const RESUMABLE_CLOSE = 4200;

/** The state of one shard's connection. */
interface ShardLink {
  /** `missed`: it ended, or never opened, without a session; these are counted. */
  phase: "connecting" | "greeted" | "ready" | "missed";
  /** Consecutive connections without READY or RESUMED. */
  failures: number;
  /** Nothing answers at all; the session may still be valid. */
  isNetworkDown: boolean;
  cancelTimeout: () => void;
}

/**
 * The connection to Discord's gateway: resumes the stored sessions, or begins new ones. @discordjs/ws implements the
 * wire protocol; this class decides which session to use and from where. Connects in the background until the signal
 * aborts.
 */
export class GatewayClient {
  readonly #options: GatewayClientOptions;
  readonly #throttle: IIdentifyThrottler;
  /** Replaced after a rewind: the previous one may still emit events, which are ignored. */
  #manager: GatewayManager;
  /** The latest event on each shard, stored or not: where a connection that breaks in this process continues. */
  readonly #live = new Map<number, SessionInfo>();
  readonly #links = new Map<number, ShardLink>();
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
   * Resolves when the account receives for the first time, or when that takes too long: it then continues in the
   * background. Rejects with a `ChannelError` if Discord will never accept it.
   */
  async opened(): Promise<void> {
    const { clock, signal } = this.#options;
    const late = new AbortController();
    await Promise.race([this.#settled, pause(clock, OPENED_WITHIN_MS, AbortSignal.any([signal, late.signal]))]);
    late.abort();
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Continues after what is stored: later events are sent again, and count only then. */
  async rewind(reason = "too much waits"): Promise<void> {
    const old = this.#manager;
    this.#manager = this.#createManager();
    this.#live.clear();
    this.#forgetLinks();
    await this.#end(old, reason);
    await this.#connect();
  }

  /** Leaves the sessions open at Discord, to be resumed. Call it after the signal has aborted. */
  async close(): Promise<void> {
    this.#forgetLinks();
    await this.#end(this.#manager, "the account is stopped");
  }

  #forgetLinks(): void {
    for (const { cancelTimeout } of this.#links.values()) cancelTimeout();
    this.#links.clear();
  }

  /** If the library waits for Discord's first message, its own close is lost in another one that it starts itself. */
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
      buildIdentifyThrottler: () => ({
        waitForIdentify: (shard, closed) => {
          // No RESUME was sent; starting a session may take long, and the library watches it.
          this.#findLink(shard).cancelTimeout();
          return this.#throttle.waitForIdentify(shard, closed);
        },
      }),
      retrieveSessionInfo: (shard) => this.#findSession(shard, manager),
      updateSessionInfo: (shard, session) => this.#noteSession(shard, session, manager),
    });
    this.#watch(manager);
    return manager;
  }

  #findLink(shard: number): ShardLink {
    const known = this.#links.get(shard);
    if (known !== undefined) return known;
    const cancelTimeout = (): void => undefined;
    const link: ShardLink = { phase: "connecting", failures: 0, isNetworkDown: false, cancelTimeout };
    this.#links.set(shard, link);
    return link;
  }

  /** The library asks before it connects, and with each event and heartbeat. */
  async #findSession(shard: number, manager: GatewayManager): Promise<SessionInfo | null> {
    const { signal, clock, random, keeper } = this.#options;
    const link = this.#findLink(shard);
    const find = (): SessionInfo | null => this.#live.get(shard) ?? findStored(keeper, shard);
    if (link.phase === "greeted" || link.phase === "ready") return find();
    const isRepeated = link.isNetworkDown;
    const repeats = link.failures - SILENT_FAILURES;
    if (repeats > 0) await pause(clock, decideBackoffMs(repeats, random()), signal);
    const known = find();
    const session = known === null || !isRepeated ? known : await this.#readdress(known);
    link.phase = "connecting";
    // The library cannot be stopped while it waits to reconnect.
    return signal.aborted || manager !== this.#manager ? new Promise<never>(() => undefined) : session;
  }

  /** The URL for resuming may be gone for good; the general URL accepts sessions too, if it can be read. */
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
    // A network failure does not affect the session.
    const link = this.#findLink(shard);
    if (this.#options.signal.aborted || link.isNetworkDown) return;
    // A session that Discord has forgotten is not a failure: the next connection starts another one.
    if (this.#live.has(shard) || findStored(this.#options.keeper, shard) !== null) link.phase = "missed";
    this.#live.delete(shard);
    this.#options.keeper.note((state) => noteSession(state, shard, null, Math.max(state.shards.length, shard + 1)));
  }

  #watch(manager: GatewayManager): void {
    /** Ignores events of other connections. */
    const ifOurs =
      <Args extends readonly unknown[]>(take: (...args: Args) => void) =>
      (...args: Args): void => {
        if (manager === this.#manager) take(...args);
      };
    const { log, onEvent } = this.#options;
    manager.on(
      WebSocketShardEvents.Dispatch,
      ifOurs((payload, shard) => {
        // Events that were missed come before RESUMED: reading many may take longer than the limit.
        if (this.#findLink(shard).phase === "greeted") this.#awaitSession(shard);
        onEvent({ kind: "dispatch", shard, payload });
      }),
    );
    manager.on(
      WebSocketShardEvents.Ready,
      ifOurs((data, shard) => {
        onEvent({ kind: "ready", shard, shards: this.#live.get(shard)?.shardCount ?? 1, data });
        this.#recover(shard);
      }),
    );
    manager.on(
      WebSocketShardEvents.Resumed,
      ifOurs((shard) => {
        onEvent({ kind: "resumed", shard });
        this.#recover(shard);
      }),
    );
    manager.on(
      WebSocketShardEvents.Hello,
      ifOurs((shard) => this.#awaitSession(shard)),
    );
    manager.on(
      WebSocketShardEvents.SocketError,
      ifOurs((error, shard) => {
        this.#findLink(shard).isNetworkDown = true;
        this.#miss(shard, () => this.#options.reportFault(ATTEMPT, error));
      }),
    );
    manager.on(
      WebSocketShardEvents.Closed,
      ifOurs((code, shard) => {
        this.#lastClose = code;
        log.debug({ code, shard }, "Discord's gateway connection was closed");
        const link = this.#findLink(shard);
        link.cancelTimeout();
        const isOver = link.phase === "ready" || link.phase === "missed" || findFinalClose(code) !== undefined;
        if (isOver) link.phase = "missed";
        else this.#miss(shard, () => buildCloseError(code));
      }),
    );
    manager.on(
      WebSocketShardEvents.Error,
      ifOurs((error) => this.#fail(error)),
    );
  }

  /** Discord has sent HELLO: RESUME or IDENTIFY is sent next. */
  #awaitSession(shard: number): void {
    const { clock, health, signal } = this.#options;
    const link = this.#findLink(shard);
    link.phase = "greeted";
    link.isNetworkDown = false;
    link.cancelTimeout();
    link.cancelTimeout = clock.schedule(RESUME_TIMEOUT_MS, () => {
      if (signal.aborted) return;
      health.retry(buildSilenceError());
      this.#noteSession(shard, null, this.#manager);
      void this.rewind("a RESUME was not answered");
    });
  }

  /** A connection ended without a session. */
  #miss(shard: number, buildError: () => ChannelError): void {
    const { health, signal } = this.#options;
    const link = this.#findLink(shard);
    link.phase = "missed";
    link.failures += 1;
    link.cancelTimeout();
    if (!signal.aborted && link.failures > SILENT_FAILURES) health.retry(buildError());
  }

  #recover(shard: number): void {
    const link = this.#findLink(shard);
    link.phase = "ready";
    link.failures = 0;
    link.cancelTimeout();
    if ([...this.#links.values()].every(({ failures }) => failures === 0)) this.#options.health.recover();
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

  /** A request to Discord failed: it is retried, unless the token is invalid. */
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
    const manager = this.#manager;
    for (let tries = 0; !signal.aborted && manager === this.#manager; tries += 1) {
      try {
        await manager.connect();
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

function buildCloseError(code: number): ChannelError {
  return new ChannelError("definite", `${ATTEMPT}: closed with ${code} before READY or RESUMED; retrying`);
}

function buildSilenceError(): ChannelError {
  const seconds = RESUME_TIMEOUT_MS / 1_000;
  const what = `a RESUME was not answered within ${seconds} s`;
  return new ChannelError("definite", `${ATTEMPT}: ${what}; starting a new session and reading missed messages`);
}

function buildSpentError(waitMs: number): ChannelError {
  const hours = (waitMs / 3_600_000).toFixed(1);
  return new ChannelError(
    "definite",
    `${ATTEMPT}: the day's sessions of this bot are used up; it goes on in ${hours} h, and whatever else uses the token should be stopped`,
  );
}
