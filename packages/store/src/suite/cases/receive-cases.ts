import assert from "node:assert/strict";
import type { ReceivedItem } from "../../input-steps.ts";
import {
  otherLane,
  sampleAccount,
  sampleDelivery,
  sampleLane,
  sampleMessage,
  sampleReceive,
  sampleSession,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, getDelivery, receiveAll, receiveOne } from "../store-script.ts";

const { channel, account } = sampleAccount;

export const receiveCases: readonly StoreCase[] = [
  {
    name: "receive: a batch is stored in its order",
    async run(harness) {
      const store = await harness.open();
      const results = await receiveAll(store, [sampleMessage("a"), sampleMessage("b"), sampleMessage("c")]);
      const [first, second, third] = results.map(({ seq }) => seq);
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      assert.ok(first < second && second < third);
      assert.deepEqual(
        results.map(({ outcome, deliveries }) => [outcome, deliveries]),
        [
          ["stored", []],
          ["stored", []],
          ["stored", []],
        ],
      );
      assert.deepEqual(await store.read.lane(sampleLane), { lane: sampleLane, epoch: 0, waiting: 3, active: [] });
    },
  },
  {
    name: "receive: what was received before, in this batch or an earlier one, is a duplicate with the first one's seq",
    async run(harness) {
      const store = await harness.open();
      const [first, again] = await receiveAll(store, [sampleMessage("a"), sampleMessage("a")]);
      const [later] = await receiveAll(store, [sampleMessage("a", { body: '{"text":"other"}' })]);
      assert.deepEqual([first?.outcome, again?.outcome, later?.outcome], ["stored", "duplicate", "duplicate"]);
      assert.deepEqual([again?.seq, later?.seq], [first?.seq, first?.seq]);
      assert.equal((await store.read.lane(sampleLane)).waiting, 1);
    },
  },
  {
    name: "receive: the cursor is replaced with the batch, also by one of duplicates or none, and kept without one",
    async run(harness) {
      const store = await harness.open();
      assert.equal(await store.read.cursor(channel, account), undefined);
      await receiveAll(store, [sampleMessage("a")], { cursor: "1" });
      await receiveAll(store, [sampleMessage("a")], { cursor: "2" });
      assert.equal(await store.read.cursor(channel, account), "2");
      await receiveAll(store, [sampleMessage("b")]);
      assert.equal(await store.read.cursor(channel, account), "2");
      await receiveAll(store, [], { cursor: "3" });
      assert.equal(await store.read.cursor(channel, account), "3");
      assert.equal(await store.read.cursor(channel, "other"), undefined);
    },
  },
  {
    name: "receive: one item without a session refuses the whole batch, cursor and deliveries included",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [sampleMessage("a")], { cursor: "1" });
      const { session: _, ...orphan } = sampleMessage("c", { lane: otherLane });
      const items = [sampleMessage("b", { deliveries: [sampleDelivery("d")] }), orphan];
      const expected = { status: "refused", reason: "no_session" } as const;
      await assertChangesNothing(store, sampleReceive(items, { cursor: "2" }), expected);
    },
  },
  {
    name: "receive: what belongs to an item is stored with it or not at all",
    async run(harness) {
      const store = await harness.open();
      const [first, other] = [sampleMessage("a"), sampleMessage("b")];
      const belongsTo = ({ dedupe }: ReceivedItem) => {
        const { session: _, ...rest } = sampleMessage("+");
        return { ...rest, dedupe: `${dedupe}+`, follows: dedupe };
      };
      const [refused] = await receiveAll(store, [{ ...first, lane: "", refused: "group" }]);
      const again = { outcome: "refused", seq: refused?.seq ?? 0, deliveries: [] } as const;
      const expected = { status: "done", items: [again, again] } as const;
      await assertChangesNothing(store, sampleReceive([first, belongsTo(first)]), expected);
      const pair = [other, belongsTo(other)];
      const stored = await receiveAll(store, [...pair, ...pair]);
      assert.deepEqual(
        stored.map(({ outcome }) => outcome),
        ["stored", "stored", "duplicate", "duplicate"],
      );
    },
  },
  {
    name: "receive: the first item inserts its session, later ones leave it alone or need none",
    async run(harness) {
      const store = await harness.open();
      const body = '{"first":true}';
      const { session: _, ...without } = sampleMessage("c");
      await receiveAll(store, [sampleMessage("a", { session: sampleSession(sampleLane, { body }) })]);
      await receiveAll(store, [sampleMessage("b"), without]);
      const session = await store.read.session(sampleLane);
      assert.deepEqual([session?.revision, session?.body], [1, body]);
    },
  },
  {
    name: "receive: a session with the present revision is written, with another one the batch is refused",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const session = sampleSession(sampleLane, { expectRevision: 2, sessionId: "second id" });
      const conflict = sampleReceive([sampleMessage("b", { session })], { cursor: "9" });
      await assertChangesNothing(store, conflict, { status: "refused", reason: "conflict" });
      await receiveOne(store, sampleMessage("b", { session: { ...session, expectRevision: 1 } }));
      assert.equal((await store.read.sessionById("second id"))?.revision, 2);
    },
  },
  {
    name: "receive: a repeat with a session that it wrote itself is a duplicate, not a conflict",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const session = sampleSession(sampleLane, { expectRevision: 1, sessionId: "second id" });
      const seq = await receiveOne(store, sampleMessage("b", { session }));
      await assertChangesNothing(store, sampleReceive([sampleMessage("b", { session })]), {
        status: "done",
        items: [{ outcome: "duplicate", seq, deliveries: [] }],
      });
    },
  },
  {
    name: "receive: a message that is twice in a batch needs and writes its session once",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const session = sampleSession(sampleLane, { expectRevision: 1 });
      const results = await receiveAll(store, [sampleMessage("b", { session }), sampleMessage("b", { session })]);
      assert.deepEqual(
        results.map(({ outcome }) => outcome),
        ["stored", "duplicate"],
      );
      assert.equal((await store.read.session(sampleLane))?.revision, 2);
    },
  },
  {
    name: "receive: a writer is recorded once per lane, channel and peer",
    async run(harness) {
      const store = await harness.open();
      const writer = { channel, peer: "ada" };
      await receiveAll(store, [sampleMessage("a", { writer }), sampleMessage("b", { writer }), sampleMessage("c")]);
      await receiveOne(store, sampleMessage("d", { writer }));
      assert.deepEqual(await store.read.writers(sampleLane), [{ sessionKey: sampleLane, ...writer }]);
      await receiveOne(store, sampleMessage("e", { writer: { channel, peer: "bob" } }));
      assert.equal((await store.read.writers(sampleLane)).length, 2);
      assert.deepEqual(await store.read.writers(otherLane), []);
    },
  },
  {
    name: "receive: writers are listed by channel, then by peer, whoever wrote first",
    async run(harness) {
      const store = await harness.open();
      const writers = [
        { channel: "test", peer: "eve" },
        { channel: "test", peer: "bob" },
        { channel: "irc", peer: "zoe" },
      ];
      await receiveAll(
        store,
        writers.map((writer, index) => sampleMessage(`${index}`, { writer })),
      );
      const listed = (await store.read.writers(sampleLane)).map(({ channel, peer }) => ({ channel, peer }));
      assert.deepEqual(listed, writers.toReversed());
    },
  },
  {
    name: "receive: another writer of a session that exists is recorded, though the item brings no session along",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a", { writer: { channel, peer: "ada" } }));
      const { session: _, ...later } = sampleMessage("b", { writer: { channel, peer: "bob" } });
      await receiveOne(store, later);
      assert.deepEqual((await store.read.writers(sampleLane)).map(({ peer }) => peer).sort(), ["ada", "bob"]);
    },
  },
  {
    name: "receive: deliveries are written with their item, and a repeat names them again without writing",
    async run(harness) {
      const store = await harness.open();
      const step = sampleReceive([sampleMessage("a", { deliveries: [sampleDelivery("d1"), sampleDelivery("d2")] })]);
      const [result] = await receiveAll(store, step.items);
      assert.deepEqual(result?.deliveries, ["d1", "d2"]);
      await assertChangesNothing(store, step, {
        status: "done",
        items: [{ outcome: "duplicate", seq: result?.seq ?? 0, deliveries: ["d1", "d2"] }],
      });
    },
  },
  {
    name: "receive: a duplicate writes no deliveries",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("a"));
      await assertChangesNothing(store, sampleReceive([sampleMessage("a", { deliveries: [sampleDelivery("d")] })]), {
        status: "done",
        items: [{ outcome: "duplicate", seq, deliveries: [] }],
      });
    },
  },
  {
    name: "receive: seq and pos are one growing count",
    async run(harness) {
      const store = await harness.open();
      const first = await receiveOne(store, sampleMessage("a", { deliveries: [sampleDelivery("d")] }));
      const second = await receiveOne(store, sampleMessage("b"));
      const { pos } = await getDelivery(store, "d");
      assert.ok(first < pos && pos < second, `${first} < ${pos} < ${second}`);
    },
  },
];
