import { isAddress } from "@banyan/plugin-sdk";
import { countStarts } from "@banyan/store";
import type { LaneClaim } from "../lanes/lane-claim.ts";
import { commitStep } from "../ports/commit-step.ts";
import { inTime, LATE } from "../ports/in-time.ts";
import type { StoppedTurn } from "../runs/run-parts.ts";
import type { FindLiveNote } from "../runs/run-record.ts";
import { parseSessionRow, type SessionRecord } from "../sessions/session-record.ts";
import { commitTurn } from "./commit-turn.ts";
import type { Stamps, TurnEnd } from "./compose-turn.ts";
import { chooseInterrupting } from "./interrupts/choose-interrupting.ts";
import { type LiveTurn, openLiveTurn } from "./live-turn.ts";
import { buildAllotmentId, runToEnd } from "./run-to-end.ts";
import { chooseFromBacklog } from "./steering/choose-from-backlog.ts";
import { QuietTimes } from "./steering/quiet-times.ts";
import { addSteered, tellSteered } from "./steering/steered-turn.ts";
import { shareDeath, type TurnHearing, TurnSteering } from "./steering/turn-steering.ts";
import { buildStoppedEntries, buildStoppedFigures } from "./stopped-turn.ts";
import type { TurnParts } from "./turn-parts.ts";
import { WaitingNotice } from "./waiting-notice.ts";

/** So long a stop waits for a turn that the store says is running and that is not here. */
const SEAT_LIMIT_MS = 1_000;
/** As many are looked through for the most urgent one. */
const MOST_WAITING = 200;

/** A claimed turn, from the moment of its claim: it is made ready, runs, and is written down. */
interface Seat {
  readonly claim: LaneClaim;
  readonly opening: Promise<LiveTurn>;
  /** The same once it is there. */
  live?: LiveTurn;
  readonly steering: TurnSteering;
  readonly notice: WaitingNotice;
  /** Somebody else ends it: it begins nothing and commits nothing more itself. */
  isEndedElsewhere: boolean;
  /** Made where a full store holds up its end; aborted when somebody else ends it. */
  waiting?: AbortController;
}

/** Turns under way, one per lane. */
export class Turns {
  readonly #parts: TurnParts;
  readonly #seats = new Map<string, Seat>();
  readonly #quiet: QuietTimes;
  /** Who waits for a lane's turn to be here. */
  readonly #arrivals = new Map<string, Set<(seat: Seat) => void>>();
  #isClosed = false;

  constructor(parts: TurnParts) {
    this.#parts = parts;
    this.#quiet = new QuietTimes(parts.ports.clock);
  }

  get running(): number {
    return this.#seats.size;
  }

  /** Runs a claimed turn to its commit; resolves with the number of items left in the lane. */
  async run(claim: LaneClaim): Promise<number> {
    const startedAt = this.#parts.ports.clock.monotonic();
    // Seated before anything is awaited: a stop must find it.
    const hearing: TurnHearing = { heard: [], offered: [] };
    const opening = openLiveTurn(claim, this.#parts, hearing);
    const seat: Seat = {
      claim,
      opening,
      steering: new TurnSteering(claim, opening, hearing, this.#parts),
      notice: new WaitingNotice(claim, opening, this.#parts),
      isEndedElsewhere: false,
    };
    this.#seats.set(claim.lane, seat);
    for (const arrive of this.#arrivals.get(claim.lane) ?? []) arrive(seat);
    try {
      const live = await seat.opening;
      seat.live = live;
      // What waits already is told it as well: by a turn that ran before it was not heard, or only in an earlier life.
      if (claim.isResumed || (claim.waiting ?? 0) > 0) this.offer(claim.lane);
      if (claim.isNew !== true && claim.waiting !== 0) seat.notice.offer();
      if (seat.isEndedElsewhere) return 0;
      // It was claimed just before the stop, and began too late to be given back with the others.
      if (this.#isClosed) return await this.#release(claim);
      const along = live.turn.messages.map(({ seq }) => seq);
      await shareDeath(claim, along, this.#parts);
      const end = await runToEnd(live, this.#parts, this.#stamps);
      live.run.endHearing();
      const steered = await seat.steering.close();
      await seat.notice.close();
      if (seat.isEndedElsewhere) return 0;
      const told = tellSteered(end, steered, live.turn, this.#stamps);
      return await this.#finish(seat, addSteered(live, steered), told, startedAt);
    } catch (error) {
      // Its end was not written, and need not be.
      if (seat.waiting?.signal.aborted && seat.isEndedElsewhere) return 0;
      throw error;
    } finally {
      seat.waiting?.abort();
      void seat.notice.close();
      this.#parts.budgets.release(buildAllotmentId(claim));
      // The lane's next turn may be here already.
      if (this.#seats.get(claim.lane) === seat) this.#seats.delete(claim.lane);
    }
  }

  /** Something waits in a lane that runs: its turn may be told of it, or end for it. */
  offer(lane: string): void {
    const seat = this.#seats.get(lane);
    if (seat === undefined) this.#quiet.extend(lane);
    if (seat === undefined || seat.isEndedElsewhere) return;
    const record = this.#parts.sessions.find(lane) ?? seat.live?.turn.record;
    const { address } = seat.claim.item;
    if (record === undefined || !isAddress(address)) return;
    const rules = this.#parts.getQueueRules(record, address);
    if (rules.mode === "collect") this.#quiet.begin(lane, rules.debounceMs);
    seat.steering.offer(rules);
    seat.notice.offer();
  }

  /** In a backlog the most urgent goes first, where messages interrupt the first of these. */
  choose(lane: string, isResumed: boolean): Promise<number | undefined> | undefined {
    const { store, sessions } = this.#parts;
    const open = () => store.read.openItems({ lane, limit: MOST_WAITING });
    const choose = (record: SessionRecord) =>
      chooseFromBacklog(record, open, this.#parts) ?? chooseInterrupting(record, open, this.#parts);
    const record = sessions.find(lane);
    if (record !== undefined) return choose(record);
    // Only what an earlier process has left can have a record here that nobody has read yet and that says so.
    if (!isResumed) return undefined;
    return store.read.session(lane).then((row) => (row === undefined ? undefined : choose(parseSessionRow(row))));
  }

  /** How long the lane's next turn waits for more to be said. */
  readonly measureQuietMs = (lane: string): number => this.#quiet.measure(lane);

  /** What the run's turn says just now, in one line; `undefined` when none of it is here. */
  readonly findLiveNote: FindLiveNote = ({ runId, childSessionKey }) => {
    const seat = this.#seats.get(childSessionKey);
    return seat?.claim.item.runId === runId ? seat.live?.run.note : undefined;
  };

  /** What waits in the store and the lane's turn has heard already; empty where none runs here. */
  listHeard(lane: string): readonly number[] {
    return (this.#seats.get(lane)?.live?.heard ?? []).map(({ seq }) => seq);
  }

  /**
   * Stops the lane's turn without ending it in the store: who asked does that, and wakes the lane. `undefined` when none
   * is here. One that is claimed in the store and not here yet is waited for.
   */
  async stop(lane: string, isClaimed: boolean): Promise<StoppedTurn | undefined> {
    const seat = this.#seats.get(lane) ?? (isClaimed ? await this.#awaitSeat(lane) : undefined);
    if (seat === undefined) return undefined;
    const live = await this.#halt(seat, "stopped");
    // Who stopped it ends it, so the lane need not stand until a full store takes its own end.
    seat.waiting?.abort();
    if (live === undefined) return undefined;
    const { sessionId } = live.turn.record.entry;
    const messages = [...live.turn.messages, ...live.heard];
    const entries = buildStoppedEntries(live, messages, this.#parts);
    const taken = messages.map(({ seq }) => seq);
    const figures = await buildStoppedFigures(live, this.#parts);
    return { epoch: seat.claim.epoch, sessionId, entries, taken, text: live.run.textSoFar, figures };
  }

  /** Gives every turn back to the store, its attempt included: the next start runs it again. None begins after. */
  async releaseAll(): Promise<void> {
    this.#isClosed = true;
    await Promise.all([...this.#seats.values()].map((seat) => this.#giveBack(seat)));
  }

  /** The same for those that wait for a person's answer, which may take long; a later start waits on. */
  async releaseAsking(): Promise<void> {
    const seats = [...this.#seats.values()].filter(({ claim }) => this.#parts.questions.isAsking(claim.lane));
    await Promise.all(seats.map((seat) => this.#giveBack(seat)));
  }

  /** Between a claim in the store and its turn here lies the answer of the store. It may also have ended just now. */
  async #awaitSeat(lane: string): Promise<Seat | undefined> {
    const { promise, resolve } = Promise.withResolvers<Seat>();
    const waiting = this.#arrivals.get(lane) ?? new Set();
    this.#arrivals.set(lane, waiting.add(resolve));
    const seat = await inTime(promise, SEAT_LIMIT_MS, this.#parts.ports.clock);
    waiting.delete(resolve);
    if (waiting.size === 0) this.#arrivals.delete(lane);
    return seat === LATE ? undefined : seat;
  }

  /** Resolves when the turn is at rest; `undefined` for one that could not be made ready: its lane gets it back. */
  async #halt(seat: Seat, reason: string): Promise<LiveTurn | undefined> {
    seat.isEndedElsewhere = true;
    try {
      const live = await seat.opening;
      await live.run.stop(reason);
      return live;
    } catch (error) {
      this.#parts.ports.log.warn({ err: error, session: seat.claim.lane }, "a turn was stopped before it was ready");
      return undefined;
    }
  }

  async #giveBack(seat: Seat): Promise<void> {
    const live = await this.#halt(seat, "the gateway stops");
    await live?.calls.keepUsage().catch((error: unknown) => {
      const { log } = this.#parts.ports;
      log.warn(
        { err: error, session: seat.claim.lane },
        "what a turn had used was not written down, so it counts for nothing",
      );
    });
    await this.#release(seat.claim);
  }

  /** Resolves with the number of items that are left to this process: none. */
  async #release({ lane, epoch }: LaneClaim): Promise<0> {
    await commitStep(this.#parts.store, { step: "release", lane, epoch, giveBackAttempt: true });
    return 0;
  }

  get #stamps(): Stamps {
    const { clock, createId } = this.#parts.ports;
    return { now: () => clock.now(), createId };
  }

  /** Ends the waiting for a store that is full. */
  #buildWait(seat: Seat): AbortSignal {
    const { signal } = this.#parts;
    const waiting = new AbortController();
    seat.waiting = waiting;
    if (signal.aborted || seat.isEndedElsewhere) waiting.abort();
    else signal.addEventListener("abort", () => waiting.abort(), { once: true, signal: waiting.signal });
    return waiting.signal;
  }

  async #finish(seat: Seat, live: LiveTurn, end: TurnEnd, startedAt: number): Promise<number> {
    const { ports, hooks } = this.#parts;
    const { turn } = live;
    const opening = live.calls.isOpened ? [] : live.opening;
    const getSignal = () => seat.waiting?.signal ?? this.#buildWait(seat);
    const waiting = await commitTurn(turn, end, opening, this.#parts, getSignal);
    if (waiting === undefined) return 0;
    // What it has asked and nobody has answered is withdrawn.
    if (live.calls.hasAsked) this.#parts.runs.wakeTimers();
    const durationMs = Math.round(ports.clock.monotonic() - startedAt);
    const { key, agentId, entry } = turn.record;
    const { outcome } = end;
    ports.log.info({ session: key, outcome, durationMs, attempt: countStarts(turn.claim.item) }, "turn");
    void hooks.after_turn.call({
      sessionKey: key,
      sessionId: entry.sessionId,
      agentId,
      turnId: turn.id,
      outcome,
      durationMs,
    });
    return waiting;
  }
}
