import { isAddress } from "@banyan/plugin-sdk";
import type { Claim, NewEntry } from "@banyan/plugin-sdk/store";
import { parseItemBody } from "../lanes/item-body.ts";
import { commitStep } from "../ports/commit-step.ts";
import { commitTurn } from "./commit-turn.ts";
import {
  composeAgentTurn,
  composeQuarantine,
  MOST_ATTEMPTS,
  type Stamps,
  type Turn,
  type TurnEnd,
} from "./compose-turn.ts";
import { buildOpening, buildStoppedEntries, type LiveTurn, openLiveTurn, readEarlier, runAgent } from "./live-turn.ts";
import type { TurnParts } from "./turn-parts.ts";

/** A turn that was stopped: what it leaves for the transcript, written by who stopped it. */
export interface StoppedTurn {
  readonly epoch: number;
  readonly sessionId: string;
  readonly entries: readonly NewEntry[];
}

/** Turns under way, one per lane. */
export class Turns {
  readonly #parts: TurnParts;
  readonly #live = new Map<string, LiveTurn>();
  /** Lanes whose turn somebody else ends: it commits nothing itself. */
  readonly #endedElsewhere = new Set<LiveTurn>();
  #isClosed = false;

  constructor(parts: TurnParts) {
    this.#parts = parts;
  }

  get running(): number {
    return this.#live.size;
  }

  /** Runs a claimed turn to its commit; resolves with the number of items left in the lane. */
  async run(claim: Claim): Promise<number> {
    const parts = this.#parts;
    const startedAt = parts.ports.clock.monotonic();
    const turn = await readTurn(claim, parts);
    if (claim.item.attempt > MOST_ATTEMPTS) {
      const opening = buildOpening(turn, await readEarlier(turn, parts), parts);
      return this.#finish(turn, composeQuarantine(turn, this.#stamps), opening, startedAt);
    }
    const live = await openLiveTurn(turn, parts);
    // It was claimed just before the stop, and began too late to be given back with the others.
    if (this.#isClosed) return this.#release(live);
    this.#live.set(claim.lane, live);
    try {
      const end = await runAgent(live, parts);
      live.calls.end();
      if (this.#endedElsewhere.has(live)) return 0;
      const composed = composeAgentTurn(turn, end, live.calls.count, this.#stamps);
      return await this.#finish(turn, composed, live.calls.isOpened ? [] : live.opening, startedAt);
    } finally {
      // The lane's next turn may be here already.
      if (this.#live.get(claim.lane) === live) this.#live.delete(claim.lane);
      this.#endedElsewhere.delete(live);
    }
  }

  /**
   * Stops the lane's running turn without ending it in the store: who asked does that, and wakes the lane. `undefined`
   * when none runs here.
   */
  async stop(lane: string): Promise<StoppedTurn | undefined> {
    const live = this.#live.get(lane);
    if (live === undefined) return undefined;
    this.#endedElsewhere.add(live);
    await live.run.stop("stopped");
    const { claim, record } = live.turn;
    return { epoch: claim.epoch, sessionId: record.entry.sessionId, entries: buildStoppedEntries(live, this.#parts) };
  }

  /** Gives every running turn back to the store, its attempt included: the next start runs it again. None begins after. */
  async releaseAll(): Promise<void> {
    this.#isClosed = true;
    const release = async (live: LiveTurn) => {
      this.#endedElsewhere.add(live);
      await live.run.stop("the gateway stops");
      await this.#release(live);
    };
    await Promise.all([...this.#live.values()].map(release));
  }

  /** Resolves with the number of items that are left to this process: none. */
  async #release({ turn }: LiveTurn): Promise<0> {
    const { lane, epoch } = turn.claim;
    await commitStep(this.#parts.store, { step: "release", lane, epoch, giveBackAttempt: true });
    return 0;
  }

  get #stamps(): Stamps {
    const { clock, createId } = this.#parts.ports;
    return { now: () => clock.now(), createId };
  }

  async #finish(turn: Turn, end: TurnEnd, opening: readonly NewEntry[], startedAt: number): Promise<number> {
    const { ports, hooks } = this.#parts;
    const waiting = await commitTurn(turn, end, opening, this.#parts);
    if (waiting === undefined) return 0;
    const durationMs = Math.round(ports.clock.monotonic() - startedAt);
    const { key, agentId, entry } = turn.record;
    const { outcome } = end;
    ports.log.info({ session: key, outcome, durationMs, attempt: turn.claim.item.attempt }, "turn");
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

async function readTurn(claim: Claim, parts: TurnParts): Promise<Turn> {
  const { lane } = claim;
  const { address, seq, body } = claim.item;
  if (!isAddress(address)) throw new TypeError(`A turn was begun: the item ${seq} has no address, but ${address}`);
  // The cache may have dropped the record between the claim and now.
  const row =
    claim.session ?? (parts.sessions.find(lane) === undefined ? await parts.store.read.session(lane) : undefined);
  const record = parts.sessions.accept(lane, row);
  const answerId = parts.ports.createId();
  return { id: `${lane}#${seq}`, claim, record, body: parseItemBody(body), address, answerId };
}
