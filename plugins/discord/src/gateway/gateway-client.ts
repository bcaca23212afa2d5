import { type ChannelContext, ChannelError } from "@banyan/plugin-sdk";
import { type AccountHealth, decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import { type SessionInfo, WebSocketManager, WebSocketShardEvents } from "@discordjs/ws";
import type { APIGatewaySessionStartLimit, REST } from "discord.js";
import { z } from "zod";
import type { FaultReport } from "../fault-report.ts";
import { noteSession } from "../state/account-state.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import { findFinalClose } from "./close-code.ts";
import type { GatewayEvent } from "./gateway-event.ts";
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

export interface GatewayClient {
  /** Goes on behind what is stored: what came since then is sent again. */
  rewind(): void;
  /** Leaves the sessions open at Discord, to be resumed. */
  close(): Promise<void>;
}

const gatewayAnswer = z.object({
  session_start_limit: z.object({
    total: z.number(),
    remaining: z.number(),
    reset_after: z.number(),
    max_concurrency: z.number().int().min(1),
  }),
});

/** 1000 and 1001 end a session at once (Discord documentation, "Gateway": initiating a disconnect). */
const RESUMABLE_CLOSE = 4200;

/**
 * The connection to Discord's gateway: resumes the stored sessions, or begins new ones. @discordjs/ws does the wire; which
 * session and from where is decided here. Connects in the background until the signal aborts.
 */
export function connectGateway(options: GatewayClientOptions): GatewayClient {
  const { rest, token, intents, isPaced, keeper, health, log, signal, onEvent } = options;
  /** What came last on each shard, stored or not: where a connection that breaks in this process goes on. */
  const live = new Map<number, SessionInfo>();
  let failures = 0;
  let isNetworkDown = false;
  let isRewinding = false;
  let lastClose = 0;

  const manager = new WebSocketManager({
    rest,
    token,
    intents,
    buildIdentifyThrottler: () =>
      createIdentifyThrottle({
        ...options,
        isPaced,
        readLimit: () => readStartLimit(rest),
        onSpent: (waitMs) => health.retry(buildSpentError(waitMs)),
      }),
    async retrieveSessionInfo(shard) {
      // The library has no way to be stopped while it waits to connect again.
      if (signal.aborted) return new Promise<never>(() => undefined);
      if (isNetworkDown) await pause(options.clock, decideBackoffMs(failures, options.random()), signal);
      return live.get(shard) ?? findStored(keeper, shard);
    },
    updateSessionInfo(shard, session) {
      if (session !== null) {
        live.set(shard, session);
        return;
      }
      // A network that is down says nothing of the session.
      if (signal.aborted || isNetworkDown || isRewinding) return;
      live.delete(shard);
      keeper.note((state) => noteSession(state, shard, null, Math.max(state.shards.length, shard + 1)));
    },
  });
  watch();
  void connect();

  function watch(): void {
    manager.on(WebSocketShardEvents.Dispatch, (payload, shard) => onEvent({ kind: "dispatch", shard, payload }));
    manager.on(WebSocketShardEvents.Ready, (data, shard) => {
      onEvent({ kind: "ready", shard, shards: live.get(shard)?.shardCount ?? 1, data });
      health.recover();
    });
    manager.on(WebSocketShardEvents.Resumed, (shard) => {
      onEvent({ kind: "resumed", shard });
      health.recover();
    });
    manager.on(WebSocketShardEvents.Hello, () => {
      isNetworkDown = false;
      failures = 0;
    });
    manager.on(WebSocketShardEvents.SocketError, (error) => {
      isNetworkDown = true;
      failures += 1;
      if (!signal.aborted) health.retry(options.reportFault("Connecting to Discord's gateway", error));
    });
    manager.on(WebSocketShardEvents.Closed, (code, shard) => {
      lastClose = code;
      log.debug({ code, shard }, "Discord's gateway connection was closed");
    });
    manager.on(WebSocketShardEvents.Error, (error) => failFor(error));
  }

  function failFor(error: Error): void {
    const final = findFinalClose(lastClose);
    if (final === undefined) {
      log.warn({ err: error }, "Discord's gateway connection has trouble");
      return;
    }
    health.fail(new ChannelError(final.class, `Connecting to Discord's gateway: ${final.what}; ${final.advice}`));
  }

  async function connect(): Promise<void> {
    for (let tries = 0; !signal.aborted; tries += 1) {
      try {
        await manager.connect();
        return;
      } catch (error) {
        if (signal.aborted || findFinalClose(lastClose) !== undefined) return;
        const fault = options.reportFault("Connecting to Discord's gateway", error);
        if (fault.class === "unauthorized") return health.fail(fault);
        health.retry(fault);
        await pause(options.clock, decideBackoffMs(tries, options.random()), signal);
      }
    }
  }

  async function rewind(): Promise<void> {
    isRewinding = true;
    await manager.destroy({ code: RESUMABLE_CLOSE, reason: "too much waits" });
    live.clear();
    isRewinding = false;
    await connect();
  }

  return {
    rewind: () => void rewind(),
    async close() {
      await manager.destroy({ code: RESUMABLE_CLOSE, reason: "the account is stopped" });
    },
  };
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
    `Connecting to Discord's gateway: the day's sessions of this bot are used up; it goes on in ${hours} h, and whatever else uses the token should be stopped`,
  );
}
