import assert from "node:assert/strict";
import { join } from "node:path";
import { setTimeout as pass } from "node:timers/promises";
import { callGatewayStatus } from "@banyan/core";
import type { StoreReads } from "@banyan/store";
import { openSqliteReader } from "@banyan/store-sqlite";
import type { ChildSpec } from "./crash-child.ts";
import { GatewayProcess } from "./gateway-process.ts";
import type { KillPlan } from "./kill-plan.ts";

const PATIENCE_MS = 60_000;
/** How many times sooner their own waits are over where a story says nothing else: no death is in a pause or in pacing. */
const HURRY = 10;
/** Between two looks at a process that should rather work than answer. */
const LOOK_EVERY_MS = 20;

/** One folder with a configuration and a state directory, and the gateway processes that live and die on it. */
export class GatewayLives {
  readonly folder: string;
  readonly #env: ChildSpec["env"];
  readonly #hurry: number;
  readonly #log: string[] = [];
  #gateway: GatewayProcess | undefined;
  #next: PromiseWithResolvers<void> = Promise.withResolvers();
  #isOver = false;
  #aheadMs = 0;

  /** `hurry`: how many times sooner their own waits are over. */
  constructor(folder: string, env: ChildSpec["env"], hurry: number = HURRY) {
    this.folder = folder;
    this.#env = env;
    this.#hurry = hurry;
  }

  get stateDir(): string {
    return join(this.folder, "state");
  }

  /** The latest one. */
  get gateway(): GatewayProcess {
    assert.ok(this.#gateway !== undefined, "no gateway was started");
    return this.#gateway;
  }

  get isAlive(): boolean {
    return this.#gateway?.hasEnded === false;
  }

  /** What all of them have logged. */
  get log(): string {
    return this.#log.join("");
  }

  /** Starts a gateway; resolves when it is open, or has died on the way. */
  async start(kill?: KillPlan, store: Readonly<Record<string, string>> = {}): Promise<GatewayProcess> {
    this.#gateway = await GatewayProcess.start(this.#describe(kill, store), this.#log);
    assert.equal(this.#gateway.exitCode, null, `the gateway does not start\n${this.log}`);
    this.#next.resolve();
    this.#next = Promise.withResolvers();
    return this.#gateway;
  }

  /** The clocks of all that start from now on are so much further. */
  passTime(ms: number): void {
    this.#aheadMs += ms;
  }

  /** Resolves at once while a gateway lives, else with the next start. Rejects when there will be none. */
  async alive(): Promise<void> {
    assert.ok(!this.#isOver, "the story is over");
    if (this.#gateway?.hasEnded ?? true) await this.#next.promise;
    assert.ok(!this.#isOver, "the story is over");
  }

  /** Starts one more gateway on the same state directory. Resolves with what it says when it has given up. */
  async startSecond(): Promise<string> {
    const log: string[] = [];
    const second = await GatewayProcess.start(this.#describe(undefined, {}), log);
    const isOpen = !second.hasEnded;
    second.signal("SIGKILL");
    assert.equal(isOpen, false, "a second gateway opened on the same state directory");
    return log.join("");
  }

  #describe(kill: KillPlan | undefined, store: Readonly<Record<string, string>>): ChildSpec {
    return {
      folder: this.folder,
      env: this.#env,
      aheadMs: this.#aheadMs,
      hurry: this.#hurry,
      store,
      ...(kill === undefined ? {} : { kill }),
    };
  }

  /** Resolves when the gateways have logged a line of this kind. */
  async logs(line: RegExp): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while (!line.test(this.log)) {
      await this.pace();
      assert.ok(Date.now() < due, `the log has no ${line}:\n${this.log}`);
    }
  }

  /** Waits a little: how far another process is sends no event. */
  pace(): Promise<void> {
    return pass(LOOK_EVERY_MS);
  }

  /** Looks into the store, beside the gateway or without one. */
  async read<T>(ask: (read: StoreReads) => Promise<T>): Promise<T> {
    const reader = openSqliteReader(this.stateDir);
    try {
      return await ask(reader.read);
    } finally {
      reader.close();
    }
  }

  /** So many deliveries are written and not settled. */
  async deliveriesWait(count: number): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    for (;;) {
      const { counts } = await callGatewayStatus(this.stateDir);
      if (counts.unsettledDeliveries >= count) return;
      assert.ok(Date.now() < due, `no ${count} deliveries wait: ${JSON.stringify(counts)}`);
      await this.pace();
    }
  }

  /** Nothing waits and nothing is under way: what is in the chats now is all there will be. */
  async rests(signal?: AbortSignal): Promise<void> {
    const due = Date.now() + PATIENCE_MS;
    while (signal?.aborted !== true) {
      const { counts } = await callGatewayStatus(this.stateDir);
      const { waitingItems, activeLanes, unsettledDeliveries, unfinishedRuns } = counts;
      if (waitingItems + activeLanes + unsettledDeliveries + unfinishedRuns === 0) return;
      assert.ok(Date.now() < due, `the gateway does not come to rest: ${JSON.stringify(counts)}\n${this.log}`);
      await this.pace();
    }
  }

  /** Waits until the process has died, or has done everything and rests; then it is killed. */
  async diedOrRested(rest: (signal: AbortSignal) => Promise<void> = (signal) => this.rests(signal)): Promise<void> {
    const waiting = new AbortController();
    const exit = this.gateway.ended();
    // A gateway that has just died answers no status: that is what is waited for.
    await Promise.race([exit, rest(waiting.signal).catch(() => exit)]);
    waiting.abort();
    this.gateway.signal("SIGKILL");
    await exit;
  }

  async stop(): Promise<void> {
    assert.equal(await this.gateway.stop(), 0, `the gateway did not stop in order\n${this.log}`);
  }

  /** Ends the last one, and whatever waits for the next. */
  kill(): void {
    this.#isOver = true;
    this.#next.resolve();
    this.#gateway?.signal("SIGKILL");
  }
}
