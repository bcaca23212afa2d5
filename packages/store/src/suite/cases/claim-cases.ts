import assert from "node:assert/strict";
import type { ClaimStep } from "../../input-steps.ts";
import { sampleCommand, sampleCommit, sampleLane, sampleMessage, sampleOwner } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveAll, receiveOne, startTurn } from "../store-script.ts";

const claim: ClaimStep = { step: "claim", lane: sampleLane, owner: sampleOwner, claimId: "c1" };
const busy = { status: "refused", reason: "busy" } as const;
const empty = { status: "refused", reason: "empty" } as const;

export const claimCases: readonly StoreCase[] = [
  {
    name: "claim of one item: taken before those in front of it, but never past a command; the others keep their order",
    async run(harness) {
      const store = await harness.open();
      const [first, second] = [
        await receiveOne(store, sampleMessage("m1")),
        await receiveOne(store, sampleMessage("m2")),
      ];
      const command = await receiveOne(store, sampleCommand("/status"));
      const third = await receiveOne(store, sampleMessage("m3"));
      const { lane } = { lane: sampleLane };
      const claim = { step: "claim", lane, owner: sampleOwner } as const;
      const past = await store.commit({ ...claim, claimId: "c1", itemSeq: third });
      assert.equal(past.status === "done" && past.claim.item.seq, first);
      await store.commit({ step: "command", lane, seq: command, items: [], deliveries: [] });
      const epoch = past.status === "done" ? past.claim.epoch : 0;
      await store.commit({ step: "release", lane, epoch, giveBackAttempt: true });
      const taken = await store.commit({ ...claim, claimId: "c2", itemSeq: third });
      assert.equal(taken.status === "done" && taken.claim.item.seq, third);
      const left = await store.read.openItems({ lane, limit: 9 });
      assert.deepEqual(
        left.map(({ seq, state, body }) => [seq, state, JSON.parse(body).text]),
        [
          [first, "waiting", "text of m1"],
          [second, "waiting", "text of m2"],
          [third, "active", "text of m3"],
        ],
      );
    },
  },
  {
    name: "claim: takes the first waiting item, active at attempt 1, at the next epoch, with the session",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleMessage("a"));
      await receiveOne(store, sampleMessage("b"));
      const { item, session, epoch, lane } = await claimLane(store, sampleLane, "c1");
      assert.deepEqual([lane, epoch, item.seq, item.state, item.attempt], [sampleLane, 1, seq, "active", 1]);
      assert.deepEqual([item.lane, item.kind, item.body], [sampleLane, "message", sampleMessage("a").body]);
      assert.deepEqual(session, await store.read.session(sampleLane));
      const row = { lane: sampleLane, epoch: 1, owner: sampleOwner, waiting: 1, active: [seq] };
      assert.deepEqual(await store.read.lane(sampleLane), row);
    },
  },
  {
    name: "claim: leaves the session out where its revision is known, and gives it where another one is",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const known = await store.commit({ ...claim, knownRevision: 1 });
      assert.equal(known.status === "done" && "session" in known.claim, false);
      const stale = await store.commit({ ...claim, knownRevision: 7 });
      assert.equal(stale.status === "done" && stale.claim.session?.revision, 1);
    },
  },
  {
    name: "claim: the same id answers the same epoch and item, and counts one attempt",
    async run(harness) {
      const store = await harness.open();
      await receiveOne(store, sampleMessage("a"));
      const first = await claimLane(store, sampleLane, "c1");
      assert.deepEqual(await claimLane(store, sampleLane, "c1"), first);
      assert.equal((await store.read.lane(sampleLane)).epoch, 1);
    },
  },
  {
    name: "claim: the same id answers a turn that has ended, and does not begin another",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "m1");
      await receiveOne(store, sampleMessage("m2"));
      await store.commit(sampleCommit(epoch, [item.seq]));
      const repeated = await claimLane(store, sampleLane, "claim of m1");
      assert.deepEqual([repeated.epoch, repeated.item.seq, repeated.item.state], [epoch, item.seq, "done"]);
      assert.equal((await store.read.lane(sampleLane)).owner, undefined);
    },
  },
  {
    name: "claim: busy while somebody runs the lane, empty without waiting items, and then changes nothing",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, claim, empty);
      const { epoch, item } = await startTurn(store, "m1");
      await receiveOne(store, sampleMessage("m2"));
      await assertChangesNothing(store, { ...claim, claimId: "c2", owner: "owner-2" }, busy);
      await store.commit(sampleCommit(epoch, [item.seq]));
      const { epoch: next, item: second } = await claimLane(store, sampleLane, "c3");
      await store.commit(
        sampleCommit(next, [second.seq], { session: { ...sampleCommit(0, []).session, expectRevision: 2 } }),
      );
      await assertChangesNothing(store, { ...claim, claimId: "c4" }, empty);
    },
  },
  {
    name: "claim: a command is not claimed, and what waits behind it is busy",
    async run(harness) {
      const store = await harness.open();
      const [command] = await receiveAll(store, [sampleCommand("/new"), sampleMessage("a")]);
      await assertChangesNothing(store, claim, busy);
      assert.deepEqual(await store.read.readyLanes({ limit: 9 }), []);
      await store.commit({ step: "command", lane: sampleLane, seq: command?.seq ?? 0, items: [], deliveries: [] });
      assert.equal((await claimLane(store, sampleLane, "c1")).item.kind, "message");
    },
  },
  {
    name: "claim: a command that came later does not hold up what waits before it",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [sampleMessage("a"), sampleCommand("/new")]);
      assert.equal((await claimLane(store, sampleLane, "c1")).item.kind, "message");
    },
  },
  {
    name: "claim: kinds other than commands are claimed in the order of seq",
    async run(harness) {
      const store = await harness.open();
      const kinds = ["completion", "nested", "system", "message"] as const;
      await receiveAll(
        store,
        kinds.map((kind) => sampleMessage(kind, { kind })),
      );
      for (const [turns, kind] of kinds.entries()) {
        const { item, epoch } = await claimLane(store, sampleLane, `claim ${kind}`);
        assert.deepEqual([item.kind, epoch], [kind, turns + 1]);
        const session = { ...sampleCommit(0, []).session, expectRevision: turns + 1 };
        await store.commit(sampleCommit(epoch, [item.seq], { session }));
      }
    },
  },
];
