import type { Address, DeliveryPolicy } from "@banyan/plugin-sdk";
import type { RunEnd, Store } from "@banyan/store";
import { createInlineStore, type InlineDatabase, openInlineDatabase } from "@banyan/store-sqlite/inline";
import { DELIVERY_POLICY, RUN_END_REASON, RUN_STATE } from "../../../packages/store-sqlite/src/database/code.ts";
import { StoreMirror } from "./store-mirror.ts";

/** What only a seeded defect does: it changes rows past the steps. */
export interface Tamper {
  archive(key: string): void;
  readdress(id: string, to: { address: Address; chat: string; channel: string; account: string }): void;
  setPolicy(id: string, policy: DeliveryPolicy): void;
  setAttempt(seq: number, attempt: number): void;
  /** The same end written again changes nothing. */
  endAgain(end: RunEnd, endedAtMs: number): void;
}

/** The rows that outlive the processes of a world. */
export interface WorldStore {
  readonly view: StoreMirror;
  readonly tamper: Tamper;
  createStore(clock: { now(): number }): Store;
}

/** Gives each of the worlds that are played one after another the same database, cleared. */
export class StoreRoom {
  readonly #data: InlineDatabase = openInlineDatabase();
  readonly #view: StoreMirror = new StoreMirror(this.#data);
  readonly #tamper: Tamper = createTamper(this.#data);

  open(): WorldStore {
    this.#data.clear();
    this.#view.clear();
    return {
      view: this.#view,
      tamper: this.#tamper,
      createStore: (clock) => createInlineStore({ clock, data: this.#data }),
    };
  }

  close(): void {
    this.#data.close();
  }
}

function createTamper({ database }: InlineDatabase): Tamper {
  const archive = database.prepare("UPDATE sessions SET archived_at = 0 WHERE key = ?");
  const readdress = database.prepare(
    "UPDATE deliveries SET address = ?, chat = ?, channel = ?, account = ? WHERE id = ?",
  );
  const setPolicy = database.prepare("UPDATE deliveries SET policy = ? WHERE id = ?");
  const setAttempt = database.prepare("UPDATE items SET attempt = ? WHERE seq = ?");
  const endAgain = database.prepare(
    `UPDATE runs SET ended_reason = ?, result = ?, ended_at = ?
     WHERE run_id = ? AND state = ${RUN_STATE.ended} AND result IS NOT ?`,
  );
  return {
    archive(key) {
      archive.run(key);
    },
    readdress(id, { address, chat, channel, account }) {
      readdress.run(address, chat, channel, account, id);
    },
    setPolicy(id, policy) {
      setPolicy.run(DELIVERY_POLICY[policy], id);
    },
    setAttempt(seq, attempt) {
      setAttempt.run(attempt, seq);
    },
    endAgain({ runId, endedReason, result = null }, endedAtMs) {
      endAgain.run(RUN_END_REASON[endedReason], result, endedAtMs, runId, result);
    },
  };
}
