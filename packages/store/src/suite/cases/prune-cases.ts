import assert from "node:assert/strict";
import type { SettleOutcome } from "../../delivery-steps.ts";
import type { PruneStep } from "../../steps.ts";
import {
  sampleAddress,
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleEntries,
  sampleLane,
  sampleMessage,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne, startTurn, writeDelivery } from "../store-script.ts";

const prune = (more: Partial<PruneStep> = {}): PruneStep => ({ step: "prune", olderThanMs: 0, limit: 1_000, ...more });
const nothing = { status: "done", removed: 0 } as const;
const settled: readonly SettleOutcome[] = [
  { state: "sent", platformId: "p" },
  { state: "sent_maybe_repeated", platformId: "p" },
  { state: "undeliverable", error: "gone" },
  { state: "unknown", error: "cut off" },
];

export const pruneCases: readonly StoreCase[] = [
  {
    name: "prune: old lines of the audit go where that is asked for, the oldest first, and an id never comes again",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "m1");
      const line = (action: string) => ({ actor: "agent main", action, detail: "{}" });
      const write = (...actions: readonly string[]) =>
        store.commit({
          step: "tool_result",
          lane: sampleLane,
          epoch,
          sessionId: `id of ${sampleLane}`,
          itemSeq: item.seq,
          entries: [],
          audit: actions.map(line),
        });
      const list = async () => (await store.read.audit({ limit: 9 })).map(({ action }) => action);
      await write("one", "two", "three", "four");
      await assertChangesNothing(store, prune(), nothing);
      await assertChangesNothing(store, prune({ auditOlderThanMs: 60_000 }), nothing);
      assert.deepEqual(await store.commit(prune({ auditOlderThanMs: 0, limit: 2 })), { status: "done", removed: 2 });
      assert.deepEqual(await list(), ["three", "four"]);
      assert.deepEqual(await store.commit(prune({ auditOlderThanMs: 0 })), { status: "done", removed: 1 });
      const [last] = await store.read.audit({ limit: 9 });
      assert.equal(last?.action, "four");
      await write("five");
      const after = await store.read.audit({ afterId: last.id, limit: 9 });
      assert.deepEqual(
        after.map(({ action }) => action),
        ["five"],
      );
      assert.deepEqual(await list(), ["four", "five"]);
    },
  },
  {
    name: "prune: what waits, runs or is not settled is never removed",
    async run(harness) {
      const store = await harness.open();
      await startTurn(store, "running");
      await receiveAll(store, [sampleMessage("waiting"), sampleCommand("/waiting")]);
      await receiveOne(store, sampleMessage("a", { deliveries: [sampleDelivery("pending")] }));
      const sending = [
        sampleDelivery("sending", { sendingOwner: "o" }),
        sampleDelivery("stuck", { sendingOwner: "o" }),
      ];
      await receiveOne(store, sampleMessage("b", { deliveries: sending }));
      const outcome = { state: "stuck", error: "500", retryInMs: 0 } as const;
      await store.commit({ step: "settle", id: "stuck", attempt: 1, outcome });
      await assertChangesNothing(store, prune(), nothing);
    },
  },
  {
    name: "prune: settled items and deliveries go, with their lines of history; entries and sessions stay",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "m1");
      await receiveAll(store, [sampleMessage("m2", { laneCap: 0 })]);
      const deliveries = settled.map(({ state }) => sampleDelivery(state, { sendingOwner: "o" }));
      await store.commit(sampleCommit(epoch, [item.seq], { deliveries, entries: sampleEntries("e") }));
      for (const outcome of settled) await store.commit({ step: "settle", id: outcome.state, attempt: 1, outcome });
      await receiveOne(store, sampleMessage("m3"));
      assert.deepEqual(await store.commit(prune()), { status: "done", removed: 2 + settled.length });
      const history = await store.read.history({ address: sampleAddress, limit: 9 });
      assert.deepEqual(
        history?.map(({ id }) => id),
        ["m3"],
      );
      assert.deepEqual(await store.read.deliveries({ limit: 9 }), []);
      assert.equal((await store.read.entries({ sessionId: `id of ${sampleLane}`, limit: 9 })).length, 1);
      assert.equal((await store.read.session(sampleLane))?.revision, 2);
      assert.equal((await claimLane(store, sampleLane, "c2")).epoch, epoch + 1);
      await assertChangesNothing(store, prune(), nothing);
    },
  },
  {
    name: "prune: only what has the age",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("old", { lane: "", refused: "no" }));
      await harness.advance?.(1_000);
      await receiveOne(store, sampleMessage("young", { lane: "", refused: "no" }));
      await assertChangesNothing(store, prune({ olderThanMs: 60_000 }), nothing);
      await harness.advance?.(59_000);
      assert.deepEqual(await store.commit(prune({ olderThanMs: 60_000 })), { status: "done", removed: 1 });
      const again = await receiveAll(store, [sampleMessage("old"), sampleMessage("young")]);
      assert.deepEqual(
        again.map(({ outcome }) => outcome),
        ["stored", "refused"],
      );
    },
  },
  {
    name: "prune: at most `limit` of each, the oldest first",
    async run(harness) {
      const store = await harness.open();
      for (const id of ["d1", "d2", "d3"]) {
        await writeDelivery(store, sampleDelivery(id, { sendingOwner: "o" }));
        await store.commit({ step: "settle", id, attempt: 1, outcome: { state: "sent", platformId: "p" } });
      }
      assert.deepEqual(await store.commit(prune({ limit: 2 })), { status: "done", removed: 4 });
      const left = await store.read.deliveries({ limit: 9 });
      assert.deepEqual(
        left.map(({ id }) => id),
        ["d3"],
      );
      assert.deepEqual(await store.commit(prune({ limit: 2 })), { status: "done", removed: 2 });
      assert.deepEqual(await store.commit(prune({ limit: 2 })), nothing);
    },
  },
  {
    name: "prune: seq and pos are not given again",
    async run(harness) {
      const store = await harness.open();
      const last = await receiveOne(store, sampleMessage("a", { lane: "", refused: "no" }));
      await store.commit(prune());
      const reopened = (await harness.reopen?.()) ?? store;
      assert.ok((await receiveOne(reopened, sampleMessage("b"))) > last);
    },
  },
];
