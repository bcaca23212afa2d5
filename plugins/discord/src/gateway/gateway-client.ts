import { type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import { type AccountHealth, decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import { type SessionInfo, WebSocketShardEvents } from "@discordjs/ws";
import type { APIGatewaySessionStartLimit, REST } from "discord.js";
import { z } from "zod";
import type { FaultReport } from "../fault-report.ts";
import { noteSession } from "../state/account-state.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import { findFinalClose } from "./close-code.ts";
import type { GatewayEvent } from "./gateway-event.ts";
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

const gatewayAnswer = z.object({
  url: z.string(),
  session_start_limit: z.object({
    total: z.number(),
    remaining: z.number(),
    reset_after: z.number(),
    max_concurrency: z.number().int().min(1),
  }),
});

const ATTEMPT = "Connecting to Discord's gateway";
/** Discord answers within a second or two. */
const OPENED_WITHIN_MS = 10_000;
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
  readonly #manager: GatewayManager;
  /** What came last on each shard, stored or not: where a connection that breaks in this process goes on. */
  readonly #live = new Map<number, SessionInfo>();
  #failures = 0;
  #isNetworkDown = false;
  #isRewinding = false;
  #lastClose = 0;
  #settle: (() => void) | undefined;
  #failure: ChannelError | undefined;
  readonly #settled: Promise<void>;

  constructor(options: GatewayClientOptions) {
    this.#options = options;
    this.#settled = new Promise((resolve) => {
      this.#settle = resolve;
    });
    const { rest, token, intents, health } = options;
    this.#manager = new GatewayManager({
      rest,
      token,
      intents,
      buildIdentifyThrottler: () =>
        createIdentifyThrottle({
          ...options,
          readLimit: () => readStartLimit(rest),
          onSpent: (waitMs) => health.retry(buildSpentError(waitMs)),
        }),
      retrieveSessionInfo: (shard) => this.#findSession(shard),
      updateSessionInfo: (shard, session) => this.#noteSession(shard, session),
    });
    this.#watch();
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

  /** Goes on behind what is stored: what came since then is sent again. */
  async rewind(): Promise<void> {
    this.#isRewinding = true;
    await this.#manager.destroy({ code: RESUMABLE_CLOSE, reason: "too much waits" });
    this.#live.clear();
    this.#isRewinding = false;
    await this.#connect();
  }

  /** Leaves the sessions open at Discord, to be resumed. Call it once the signal has aborted. */
  async close(): Promise<void> {
    await this.#manager.destroy({ code: RESUMABLE_CLOSE, reason: "the account is stopped" });
  }

  async #findSession(shard: number): Promise<SessionInfo | null> {
    const { signal, clock, random, keeper } = this.#options;
    // The library has no way to be stopped while it waits to connect again.
    if (signal.aborted) return new Promise<never>(() => undefined);
    const isRepeated = this.#isNetworkDown;
    const repeats = this.#failures - SILENT_FAILURES;
    if (repeats > 0) await pause(clock, decideBackoffMs(repeats, random()), signal);
    const session = this.#live.get(shard) ?? findStored(keeper, shard);
    return session === null || !isRepeated ? session : this.#readdress(session);
  }

  /** The address for resuming may be gone for good; the one for everybody takes sessions, too, where it can be learnt. */
  async #readdress(session: SessionInfo): Promise<SessionInfo> {
    const answer = await this.#options.rest.get("/gateway/bot").catch(() => undefined);
    const url = gatewayAnswer.safeParse(answer).data?.url;
    return url === undefined ? session : { ...session, resumeURL: url };
  }

  #noteSession(shard: number, session: SessionInfo | null): void {
    if (session !== null) {
      this.#live.set(shard, session);
      return;
    }
    // A network that is down says nothing of the session.
    if (this.#options.signal.aborted || this.#isNetworkDown || this.#isRewinding) return;
    this.#live.delete(shard);
    this.#options.keeper.note((state) => noteSession(state, shard, null, Math.max(state.shards.length, shard + 1)));
  }

  #watch(): void {
    const { onEvent, health, log, reportFault, signal } = this.#options;
    const manager = this.#manager;
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

  async #connect(): Promise<void> {
    const { signal, health, reportFault, clock, random } = this.#options;
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await this.#manager.connect();
        return;
      } catch (error) {
        if (signal.aborted || findFinalClose(this.#lastClose) !== undefined) return;
        const fault = reportFault(ATTEMPT, error);
        if (fault.class === "unauthorized") return this.#giveUp(fault);
        health.retry(fault);
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

/** Asked anew each time: the library's own answer is as old as the connection. */
async function readStartLimit(rest: REST): Promise<APIGatewaySessionStartLimit> {
  return gatewayAnswer.parse(await rest.get("/gateway/bot")).session_start_limit;
}

function buildSpentError(waitMs: number): ChannelError {
  const hours = (waitMs / 3_600_000).toFixed(1);
  return new ChannelError(
    "definite",
    `${ATTEMPT}: the day's sessions of this bot are used up; it goes on in ${hours} h, and whatever else uses the token should be stopped`,
  );
}
