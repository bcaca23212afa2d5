import { type ItemRow, isSuspect } from "@banyan/store";
import type { InterruptRules } from "../../config/shapes/interrupt-setting.ts";
import type { QueueMode, QueueRules } from "../../config/shapes/queue-config.ts";
import { isSameTask, sortBacklog } from "../../lanes/backlog.ts";
import type { LaneClaim } from "../../lanes/lane-claim.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import { inTime, LATE } from "../../ports/in-time.ts";
import type { LiveTurn } from "../live-turn.ts";
import { buildTakenMessage, markAnnounced, readTaken, type TakenMessage } from "../taken-message.ts";
import type { TurnParts } from "../turn-parts.ts";
import { listSteerable } from "./steerable-item.ts";

/** As many of a lane are looked at; more wait for a turn of their own. */
const MOST_ITEMS = 200;
/** A runtime settles each message with its end; one that does not is not believed. */
const RECEIPT_LIMIT_MS = 2_000;

/** What a turn hears while it runs, as its tools see it. Grows. */
export interface TurnHearing {
  readonly heard: TakenMessage[];
  readonly offered: TakenMessage[];
}

/** What a turn was told while it ran. */
export interface SteeringEnd {
  /** What the agent has taken, in that order: the turn answers to it as well. */
  readonly taken: readonly TakenMessage[];
  /** A newer message took the turn's place, under these rules. */
  readonly interruptedBy?: InterruptRules;
}

/**
 * Hands what arrives while a turn runs to its agent, or stops the turn for it, as the rules of its conversation say. Only
 * what the agent confirms ends with the turn; everything else waits on, and is a turn of its own.
 */
export class TurnSteering {
  readonly #claim: LaneClaim;
  readonly #opening: Promise<LiveTurn>;
  readonly #parts: TurnParts;
  /** What the agent has taken, as the turn itself knows it. */
  readonly #taken: TakenMessage[];
  /** What the agent is told just now: it may act on it before it has said so. */
  readonly #offered: TakenMessage[];
  /** Offered and not taken: not offered again while this turn runs, but in the backlog. */
  readonly #returned = new Set<number>();
  /** Absent: nothing was looked at yet. */
  #looking: Promise<void> | undefined;
  #cancel: (() => void) | undefined;
  #interruptedBy: InterruptRules | undefined;
  #isClosed = false;

  constructor(claim: LaneClaim, opening: Promise<LiveTurn>, { heard, offered }: TurnHearing, parts: TurnParts) {
    this.#claim = claim;
    this.#opening = opening;
    this.#taken = heard;
    this.#offered = offered;
    this.#parts = parts;
  }

  /** Something waits in the lane. What comes in quick succession is looked at together. */
  offer({ debounceMs, mode }: Pick<QueueRules, "debounceMs" | "mode">): void {
    if (this.#isClosed || this.#claim.item.wake === "append") return;
    // A suspect answers to its own input alone: what else waits has turns of its own.
    if (isSuspect(this.#claim.item) && mode !== "interrupt") return;
    // Not put off by what comes next: who talks without a pause is heard as well.
    this.#cancel ??= this.#parts.ports.clock.schedule(debounceMs, () => {
      this.#cancel = undefined;
      this.#looking = (this.#looking ?? Promise.resolve()).then(() => this.#look());
    });
  }

  /** The agent has come to its end: it is told nothing more. */
  async close(): Promise<SteeringEnd> {
    this.#isClosed = true;
    this.#cancel?.();
    const looking = this.#looking;
    // Most turns hear nothing, and need no time limit for it.
    if (looking !== undefined && (await inTime(looking, RECEIPT_LIMIT_MS, this.#parts.ports.clock)) === LATE)
      this.#parts.ports.log.warn(
        { session: this.#claim.lane },
        "a runtime did not say what became of a message; it waits on",
      );
    const interruptedBy = this.#interruptedBy;
    return { taken: [...this.#taken], ...(interruptedBy === undefined ? {} : { interruptedBy }) };
  }

  async #look(): Promise<void> {
    const { log } = this.#parts.ports;
    try {
      const live = await this.#opening;
      if (this.#isClosed) return;
      // A command may have set another one since the turn began.
      const record = this.#parts.sessions.find(live.turn.claim.lane) ?? live.turn.record;
      const rules = this.#parts.getQueueRules(record, live.turn.address);
      const mode = await this.#resolveMode(live, rules);
      if (mode === "interrupt") await this.#interrupt(live, rules);
      if (mode === "steer" || mode === "steer-backlog") await this.#steer(live, mode);
      // Whatever people's messages do: a result reaches whoever waits for it as soon as it can.
      else if (!isSuspect(this.#claim.item) && (await live.run.canSteer())) await this.#steer(live, "results");
    } catch (error) {
      // It waits on, and has its own turn.
      log.warn({ err: error, session: this.#claim.lane }, "what arrived could not be handed to the turn");
    }
  }

  /** Where nothing is said it depends on the runtime. */
  async #resolveMode({ run }: LiveTurn, { mode }: QueueRules): Promise<QueueMode> {
    if (mode !== undefined && mode !== "steer" && mode !== "steer-backlog") return mode;
    return (await run.canSteer()) ? (mode ?? "steer") : "followup";
  }

  async #interrupt({ turn, run }: LiveTurn, { interrupt }: QueueRules): Promise<void> {
    // What works for somebody else goes on: its result is waited for.
    if (this.#claim.item.runId !== undefined || this.#claim.item.kind === "nested") return;
    const waiting = listSteerable(await this.#readOpen(), { claim: this.#claim, turn });
    // What it has said to the end is said.
    if (this.#isClosed || run.hasEnded || !waiting.some(({ kind }) => kind === "message")) return;
    this.#parts.ports.faultPoint("interrupt.before");
    this.#interruptedBy = interrupt;
    this.#isClosed = true;
    await run.stop("a newer message takes its place");
    this.#parts.ports.faultPoint("interrupt.after");
  }

  async #steer({ turn, run }: LiveTurn, mode: "steer" | "steer-backlog" | "results"): Promise<void> {
    if (mode === "steer-backlog") this.#returned.clear();
    const steerable = listSteerable(await this.#readOpen(), { claim: this.#claim, turn });
    const waiting = mode === "steer-backlog" ? sortBacklog(steerable) : steerable;
    const own = readTaken(this.#claim.item);
    for (const item of waiting) {
      if (this.#isClosed) return;
      // None is heard before a message that came before it.
      if (mode === "results" && item.kind !== "completion") return;
      if (this.#taken.some(({ seq }) => seq === item.seq)) continue;
      // What is behind it must not be heard before it.
      if (this.#returned.has(item.seq)) return;
      const message = await markAnnounced(readTaken(item), this.#parts.store.read);
      // The same was asked for before: what answers that answers this.
      if (mode === "steer-backlog" && [own, ...this.#taken].some((each) => isSameTask(each, message))) {
        this.#taken.push(message);
        continue;
      }
      await shareDeath(this.#claim, [item.seq], this.#parts);
      this.#parts.ports.faultPoint("steer.before");
      this.#offered.splice(0, this.#offered.length, message);
      const receipt = await run.steer(buildTakenMessage(message));
      this.#parts.ports.faultPoint("steer.after");
      if (receipt === "returned") {
        this.#returned.add(item.seq);
        return;
      }
      this.#taken.push(message);
    }
  }

  #readOpen(): Promise<readonly ItemRow[]> {
    return this.#parts.store.read.openItems({ lane: this.#claim.lane, limit: MOST_ITEMS });
  }
}

/**
 * Messages that a turn takes along after a death are marked before the agent sees them: they count the next death as well,
 * which makes all of them suspects. Without a death nothing is written, and a suspect takes nothing along.
 */
export async function shareDeath(
  { lane, epoch, item }: LaneClaim,
  shared: readonly number[],
  { store, ports, signal }: Pick<TurnParts, "store" | "ports" | "signal">,
): Promise<void> {
  if (shared.length === 0 || (item.deaths ?? 0) === 0) return;
  await commitPatiently(store, { step: "suspicion", lane, epoch, shared }, ports, signal);
}
