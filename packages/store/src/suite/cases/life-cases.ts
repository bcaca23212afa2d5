import assert from "node:assert/strict";
import { type Store, StoreError } from "../../store.ts";
import {
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleEntries,
  sampleLane,
  sampleMessage,
  sampleReceive,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { dumpStore } from "../store-dump.ts";
import { assertChangesNothing, claimLane, receiveOne, startTurn } from "../store-script.ts";

async function fill(store: Store): Promise<void> {
  const { epoch, item } = await startTurn(store);
  const deliveries = [sampleDelivery("d1"), sampleDelivery("d2", { sendingOwner: "o", policy: "at-most-once" })];
  await store.commit(sampleCommit(epoch, [item.seq], { deliveries, entries: sampleEntries("e1", "e2") }));
  await receiveOne(store, sampleCommand("/status", { writer: { channel: "test", peer: "ada" } }));
  await receiveOne(store, sampleMessage("m2"));
  await store.commit(sampleReceive([sampleMessage("m3", { laneCap: 1 })], { cursor: "9" }));
}

export const lifeCases: readonly StoreCase[] = [
  {
    name: "life: steps that are sent together are committed in their order",
    async run(harness) {
      const store = await harness.open();
      const entries = Array.from({ length: 40 }, (_, index) => `e${index}`);
      const sessionId = `id of ${sampleLane}`;
      await receiveOne(store, sampleMessage("m1"));
      const sent = entries.map((id) =>
        store.commit({ step: "append_entries", sessionKey: sampleLane, sessionId, entries: sampleEntries(id) }),
      );
      await Promise.all(sent);
      const stored = await store.read.entries({ sessionId, limit: 99 });
      assert.deepEqual(
        stored.map(({ id }) => id),
        entries,
      );
    },
  },
  {
    name: "life: a refused step between others takes nothing along",
    async run(harness) {
      const store = await harness.open();
      const { session: _, ...orphan } = sampleMessage("b", { lane: "none", deliveries: [sampleDelivery("d")] });
      const results = await Promise.all([
        store.commit(sampleReceive([sampleMessage("a")])),
        store.commit(sampleReceive([orphan], { cursor: "1" })),
        store.commit(sampleReceive([sampleMessage("c")])),
      ]);
      assert.deepEqual(
        results.map(({ status }) => status),
        ["done", "refused", "done"],
      );
      assert.equal((await store.read.lane(sampleLane)).waiting, 2);
      assert.equal(await store.read.delivery("d"), undefined);
      assert.equal(await store.read.cursor("test", "default"), undefined);
    },
  },
  {
    name: "life: close commits what was sent and can be called again; every later step is refused as closed",
    async run(harness) {
      const store = await harness.open();
      const sent = store.commit(sampleReceive([sampleMessage("a")]));
      await Promise.all([store.close(), store.close()]);
      assert.equal((await sent).status, "done");
      await store.close();
      const isClosed = (error: unknown) => error instanceof StoreError && error.code === "closed";
      await assert.rejects(store.commit(sampleReceive([sampleMessage("b")])), isClosed);
    },
  },
  {
    name: "life: a store that is opened again says what it said",
    needs: "reopen",
    async run(harness) {
      const store = await harness.open();
      await fill(store);
      const before = await dumpStore(store);
      const reopened = await harness.reopen?.();
      assert.ok(reopened);
      assert.deepEqual(await dumpStore(reopened), before);
    },
  },
  {
    name: "life: repeats are known, epochs go on and seq grows after it was opened again",
    needs: "reopen",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const commit = sampleCommit(epoch, [item.seq]);
      await store.commit(commit);
      const second = await receiveOne(store, sampleMessage("m2"));
      await claimLane(store, sampleLane, "c2", "first owner");
      const reopened = await harness.reopen?.();
      assert.ok(reopened);
      await assertChangesNothing(reopened, commit, { status: "already", waiting: 0, revision: 2 });
      const items = [{ outcome: "duplicate", seq: second, deliveries: [] }] as const;
      await assertChangesNothing(reopened, sampleReceive([sampleMessage("m2")]), { status: "done", items });
      await reopened.commit({ step: "recover", owner: "second owner" });
      const next = await claimLane(reopened, sampleLane, "c3", "second owner");
      assert.deepEqual([next.epoch, next.item.seq, next.item.attempt], [epoch + 2, second, 1]);
      assert.ok((await receiveOne(reopened, sampleMessage("m3"))) > second);
    },
  },
];
