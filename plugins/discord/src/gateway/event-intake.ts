/**
 * What becomes of the gateway's events, one after the other: messages are translated and stored in batches, with the place
 * in the gateway's sequence from which another life would go on; all else is done in between.
 */
import type { ChannelError, Clock, InboundMessage, Log } from "@banyan/plugin-sdk";
import { type AccountHealth, decideBackoffMs, pause } from "@banyan/plugin-sdk/kit";
import type { GatewayDispatchPayload } from "discord.js";
import type { FaultReport } from "../fault-report.ts";
import type { Interacting } from "../interactions/interaction-desk.ts";
import { compareSnowflakes, isSnowflake } from "../snowflake.ts";
import { type AccountState, noteSequence } from "../state/account-state.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import type { GatewayEvent } from "./gateway-event.ts";
import type { GuildWatch } from "./guild-watch.ts";
import { HeardBatch } from "./heard-batch.ts";

export interface EventIntakeOptions {
  readonly keeper: StateKeeper;
  readonly watch: GuildWatch;
  /** `undefined` for a message that is nothing for anybody. */
  readonly translate: (payload: MessageDispatch) => Promise<InboundMessage | undefined>;
  /** Called as soon as an interaction comes, for it is answered in time whatever waits before it. What it gives back does it. */
  readonly interact: (payload: object) => Interacting;
  /** More waits than may: the connection is to begin again behind what is stored. */
  readonly onOverflow: () => void;
  readonly health: AccountHealth;
  readonly reportFault: FaultReport;
  readonly clock: Clock;
  readonly log: Log;
  readonly random: () => number;
  readonly signal: AbortSignal;
}

export type MessageDispatch = Extract<GatewayDispatchPayload, { t: "MESSAGE_CREATE" | "MESSAGE_UPDATE" }>;

/** Stored in one step. */
const MOST_IN_BATCH = 100;
/** At some 10 KB each these are 100 MB at most. A gateway cannot be asked to wait. */
const MOST_WAITING = 10_000;

export class EventIntake {
  readonly #options: EventIntakeOptions;
  #waiting: GatewayEvent[] = [];
  readonly #interacting = new WeakMap<GatewayEvent, Interacting>();
  #isFull = false;
  #hasGivenUp = false;
  #running: Promise<void> | undefined;

  constructor(options: EventIntakeOptions) {
    this.#options = options;
  }

  push(event: GatewayEvent): void {
    if (this.#options.signal.aborted || this.#isFull || this.#hasGivenUp) return;
    if (this.#waiting.length >= MOST_WAITING) {
      this.#overflow();
      return;
    }
    this.#waiting.push(event);
    if (event.kind === "dispatch" && event.payload.t === "INTERACTION_CREATE")
      this.#interacting.set(event, this.#options.interact(event.payload.d));
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is under way; what waits is left to the next life once the signal has aborted. */
  async settled(): Promise<void> {
    await this.#running;
  }

  #overflow(): void {
    this.#isFull = true;
    this.#options.log.warn(
      { waiting: MOST_WAITING },
      "more of Discord's events wait than may; it is asked for them again",
    );
    // What is under way ends; all behind it is sent again.
    this.#waiting = this.#waiting.slice(0, 1);
    void this.settled().then(() => {
      this.#isFull = false;
      this.#options.onOverflow();
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0 && !this.#options.signal.aborted) {
      const batch = this.#takeMessages();
      await this.#insist(() => (batch.length > 0 ? this.#storeMessages(batch) : this.#takeOne(this.#waiting[0])));
      if (this.#hasGivenUp) break;
      this.#waiting.splice(0, Math.max(1, batch.length));
    }
    this.#running = undefined;
  }

  #takeMessages(): readonly MessageEvent[] {
    const batch: MessageEvent[] = [];
    for (const event of this.#waiting) {
      if (batch.length === MOST_IN_BATCH || !isMessage(event)) break;
      batch.push(event);
    }
    return batch;
  }

  async #storeMessages(batch: readonly MessageEvent[]): Promise<void> {
    const { keeper, translate } = this.#options;
    const messages: InboundMessage[] = [];
    const heard = new HeardBatch();
    for (const { payload, shard } of batch) {
      const message = await translate(payload);
      if (message !== undefined) messages.push(message);
      const { id, channel_id: channelId, guild_id: guildId } = payload.d;
      heard.add(shard, {
        id,
        seq: payload.s,
        dm: typeof guildId !== "string" && message !== undefined ? channelId : undefined,
      });
    }
    // After a reconnection, and between shards, they come in another order than they were said in.
    messages.sort((one, other) => compareSnowflakes(one.id, other.id));
    const change = (state: AccountState) => heard.note(state);
    if (messages.length === 0) keeper.note(change);
    else await keeper.store(messages, change);
  }

  async #takeOne(event: GatewayEvent | undefined): Promise<void> {
    const { keeper, watch } = this.#options;
    if (event?.kind === "ready") await watch.begin(event.shard, event.shards, event.data);
    if (event?.kind === "resumed") await watch.resume();
    if (event?.kind !== "dispatch") return;
    const { payload, shard } = event;
    if (payload.t === "INTERACTION_CREATE") await this.#interacting.get(event)?.();
    else await watch.take(payload);
    keeper.note((state) => noteSequence(state, shard, payload.s));
  }

  /** Discord lets the token read nothing more. What waits is left to the next life, which has another one. */
  #giveUp(fault: ChannelError): void {
    this.#hasGivenUp = true;
    this.#options.health.fail(fault);
  }

  /** Does a piece again until it is done: what is not stored must not be passed over. Ends when the signal aborts. */
  async #insist(work: () => Promise<void>): Promise<void> {
    const { signal, health, reportFault, clock, random, log } = this.#options;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await work();
        if (failures > 0) health.recover();
        return;
      } catch (error) {
        if (signal.aborted) return;
        const fault = reportFault("Receiving from Discord", error);
        if (fault.class === "unauthorized") return this.#giveUp(fault);
        health.retry(fault);
        log.debug({ err: error }, "an event of Discord's gateway is taken again");
        await pause(clock, Math.max(decideBackoffMs(failures, random()), fault.retryAfterMs ?? 0), signal);
      }
    }
  }
}

type MessageEvent = { readonly kind: "dispatch"; readonly shard: number; readonly payload: MessageDispatch };

function isMessage(event: GatewayEvent): event is MessageEvent {
  if (event.kind !== "dispatch") return false;
  const { t, d } = event.payload;
  return (t === "MESSAGE_CREATE" || t === "MESSAGE_UPDATE") && hasIds(d);
}

/** What has no ids is a message for nobody, whatever its type says: it would come again for ever. */
function hasIds(data: { readonly id: unknown; readonly channel_id: unknown } | null): boolean {
  return [data?.id, data?.channel_id].every((id) => typeof id === "string" && isSnowflake(id));
}
