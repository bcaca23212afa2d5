import assert from "node:assert/strict";
import type { ReceivedItem } from "../../input-steps.ts";
import { sampleAddress, sampleCommand, sampleLane, sampleMessage, sampleReceive } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne } from "../store-script.ts";

const body = '{"text":"better"}';

/** A new version of the sample item `id`. */
function edit(id: string, more: Partial<ReceivedItem> = {}): ReceivedItem {
  const { session: _, ...item } = sampleMessage(`edit of ${id}`, { lane: "", refused: "edited" });
  return { ...item, amendment: { dedupe: `dedupe ${id}`, body }, ...more };
}

export const amendmentCases: readonly StoreCase[] = [
  {
    name: "priority: a message that waits has it from then on, a new version of its text leaves it, and it leaves the text",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("a"));
      const order = { step: "command", lane: sampleLane, items: [], deliveries: [] } as const;
      const first = await receiveOne(store, sampleCommand("/first"));
      await store.commit({ ...order, seq: first, prioritize: { seq, priority: 8 } });
      await receiveOne(store, edit("a"));
      const read = async () => {
        const item = await store.read.item(seq);
        return [item?.body, item?.priority];
      };
      assert.deepEqual(await read(), [body, 8]);
      const second = await receiveOne(store, sampleCommand("/second"));
      await store.commit({ ...order, seq: second, prioritize: { seq, priority: 2 } });
      assert.deepEqual(await read(), [body, 2]);
      const { item } = await claimLane(store, sampleLane, "c1");
      assert.deepEqual([item.seq, item.body, item.priority], [seq, body, 2]);
      const third = await receiveOne(store, sampleCommand("/third"));
      await store.commit({ ...order, seq: third, prioritize: { seq, priority: 9 } });
      assert.deepEqual(await read(), [body, 2]);
    },
  },
  {
    name: "amendment: the text of a message that waits is replaced, in its place; a repeat says so again",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [sampleMessage("a"), sampleMessage("b")]);
      const step = sampleReceive([edit("a")]);
      const [result] = await receiveAll(store, step.items);
      assert.deepEqual([result?.outcome, result?.isAmended, result?.deliveries], ["refused", true, []]);
      const history = await store.read.history({ address: sampleAddress, limit: 9 });
      assert.deepEqual(
        history?.map((row) => row.body),
        [body, sampleMessage("b").body],
      );
      const again = { outcome: "refused", seq: result?.seq ?? 0, deliveries: [], isAmended: true } as const;
      await assertChangesNothing(store, step, { status: "done", items: [again] });
      assert.equal((await claimLane(store, sampleLane, "c1")).item.body, body);
      await assertChangesNothing(store, step, { status: "done", items: [again] });
    },
  },
  {
    name: "amendment: what runs or has ended, a command and an unknown message stay as they are",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const { item } = await claimLane(store, sampleLane, "c1");
      await receiveOne(store, sampleCommand("/c"));
      await receiveOne(store, sampleMessage("full", { laneCap: 0 }));
      const results = await receiveAll(store, [edit("a"), edit("/c"), edit("full"), edit("never")]);
      assert.deepEqual(
        results.map((result) => "isAmended" in result),
        [false, false, false, false],
      );
      assert.equal((await claimLane(store, sampleLane, "c1")).item.body, item.body);
      assert.equal((await store.read.waitingCommands({ limit: 9 }))[0]?.body, sampleMessage("/c").body);
    },
  },
  {
    name: "amendment: a message and its new version in one batch; one that access did not refuse amends nothing",
    async run(harness) {
      const store = await harness.open();
      const [, second] = await receiveAll(store, [sampleMessage("a"), edit("a")]);
      assert.equal(second?.isAmended, true);
      const amendment = { dedupe: "dedupe a", body: "{}" };
      const [stored] = await receiveAll(store, [sampleMessage("b", { amendment })]);
      assert.deepEqual([stored?.outcome, stored && "isAmended" in stored], ["stored", false]);
      assert.equal((await claimLane(store, sampleLane, "c1")).item.body, body);
    },
  },
];
