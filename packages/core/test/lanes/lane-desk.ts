import type { Store } from "@banyan/store";
import type { CommitFault } from "@banyan/store-sqlite/inline";
import type { LaneClaim } from "../../src/lanes/lane-claim.ts";
import { LaneScheduler } from "../../src/lanes/lane-scheduler.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts, type TestPorts } from "../ports/test-ports.ts";

/** Lanes with turns that a test ends. */
export class LaneDesk {
  readonly ports: TestPorts = createTestPorts();
  readonly store: Store;
  readonly lanes: LaneScheduler;
  /** Inputs whose turn has begun, in order: lane and text. */
  readonly begun: string[] = [];
  /** What they were begun with. */
  readonly claims: LaneClaim[] = [];
  /** Lanes of which it was asked what comes first. */
  readonly chosen: string[] = [];
  readonly #running = new Set<string>();
  mostRunning = 0;
  /** What a turn waits for before it ends. */
  turn: (claim: LaneClaim) => Promise<void> = async () => undefined;
  readonly stopping: AbortController = new AbortController();
  #items = 0;

  constructor(fault: CommitFault = () => "none", mostRunning?: number, mostChildren?: number) {
    this.store = openTestStore({ clock: this.ports.clock, fault });
    const runTurn = (claim: LaneClaim) => this.#runTurn(claim);
    const findRevision = () => undefined;
    const choose = (lane: string) => {
      this.chosen.push(lane);
      return undefined;
    };
    const { store, ports } = this;
    const { signal } = this.stopping;
    const limits = { mostRunning, mostChildren };
    this.lanes = new LaneScheduler({ store, ports, owner: "owner", ...limits, runTurn, findRevision, choose, signal });
  }

  /** Puts inputs into lanes, one each; a claim comes back where asked for. */
  async put(lanes: readonly string[], claimId?: string): Promise<readonly LaneClaim[]> {
    const items = lanes.map((lane) => {
      this.#items += 1;
      const text = `${lane} ${this.#items}`;
      const session = {
        key: lane,
        sessionId: `id of ${lane}`,
        agentId: "main",
        file: lane,
        expectRevision: 0,
        body: "{}",
      };
      const own = { lane, dedupe: text, nativeId: text, kind: "message", address: "a", body: text } as const;
      return { ...own, session, laneCap: 1_000_000 };
    });
    const claim = claimId === undefined ? {} : { claim: { owner: "owner", claimId } };
    const account = { channel: "irc", account: "default" };
    const stored = await this.store.commit({ step: "receive", account, items, ...claim });
    if (stored.status !== "done") throw new Error("Inputs were put into lanes: the store refused them");
    return stored.items.flatMap((item) => item.claim ?? []);
  }

  async #runTurn(claim: LaneClaim): Promise<number> {
    const { lane, epoch, item } = claim;
    this.begun.push(item.body);
    this.claims.push(claim);
    this.#running.add(lane);
    this.mostRunning = Math.max(this.mostRunning, this.#running.size);
    try {
      await this.turn(claim);
    } finally {
      this.#running.delete(lane);
    }
    const row = await this.store.read.session(lane);
    const session = {
      key: lane,
      sessionId: `id of ${lane}`,
      agentId: "main",
      file: lane,
      expectRevision: row?.revision ?? 0,
      body: "{}",
    };
    const ended = await this.store.commit({
      step: "commit_turn",
      lane,
      epoch,
      items: [item.seq],
      itemState: "done",
      entries: [],
      session,
      deliveries: [],
    });
    return ended.status === "done" ? ended.waiting : 0;
  }
}
