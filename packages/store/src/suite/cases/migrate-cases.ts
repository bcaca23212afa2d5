import assert from "node:assert/strict";
import type { MigrateChatStep } from "../../route-steps.ts";
import type { Store } from "../../store.ts";
import { movedAddress, movedLane, sampleMigration, sampleMove } from "../sample-route.ts";
import {
  otherAddress,
  otherLane,
  sampleAddress,
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleLane,
  sampleMessage,
  sampleSession,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import {
  assertChangesNothing,
  claimLane,
  getDelivery,
  receiveAll,
  receiveOne,
  startTurn,
  writeTranscript,
} from "../store-script.ts";

const counted = (sessions: number, items: number, deliveries: number) =>
  ({ status: "done", sessions, items, deliveries }) as const;
const already = { status: "already" } as const;

async function listHistory(store: Store, address: string): Promise<string | undefined> {
  const rows = await store.read.history({ address, limit: 99 });
  return rows?.map(({ id }) => id).join(" ");
}

/** One delivery in each state, all to the sample address. */
async function writeDeliveries(store: Store): Promise<void> {
  const born = ["sending", "stuck", "unknown", "undeliverable", "sent", "sent_maybe_repeated"];
  const deliveries = [sampleDelivery("pending"), ...born.map((id) => sampleDelivery(id, { sendingOwner: "o" }))];
  await receiveOne(store, sampleMessage("carrier", { lane: "", refused: "no", deliveries }));
  const error = "why";
  const outcomes = [
    { state: "stuck", error, retryInMs: 0 },
    { state: "unknown", error },
    { state: "undeliverable", error },
    { state: "sent", platformId: "p" },
    { state: "sent_maybe_repeated", platformId: "p" },
  ] as const;
  for (const outcome of outcomes) await store.commit({ step: "settle", id: outcome.state, attempt: 1, outcome });
}

export const migrateCases: readonly StoreCase[] = [
  {
    name: "migrate: the move is on record, its session goes on under the new key; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "e1");
      const step = sampleMigration({ sessions: [sampleMove()] });
      assert.deepEqual(await store.commit(step), counted(1, 0, 0));
      assert.equal(await store.read.session(sampleLane), undefined);
      const session = await store.read.session(movedLane);
      assert.deepEqual([session?.revision, session?.body], [2, step.sessions[0]?.body]);
      const { revision, chatMoves } = await store.read.routes();
      assert.deepEqual([revision, chatMoves], [1, [step.move]]);
      assert.equal((await store.read.audit({ limit: 9 })).length, 1);
      await assertChangesNothing(store, step, already);
    },
  },
  {
    name: "migrate: waiting items of the chat and its threads go on at the new address, in whatever lane; ended ones stay",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store, "ended");
      await store.commit(sampleCommit(epoch, [item.seq]));
      await receiveAll(store, [
        sampleMessage("plain", { lane: otherLane }),
        sampleMessage("topic", { lane: otherLane, address: `${sampleAddress}/7` }),
        sampleMessage("longer", { lane: otherLane, address: `${sampleAddress}bert` }),
        sampleMessage("bob", { lane: otherLane, address: otherAddress }),
        sampleCommand("/c", { lane: otherLane }),
        sampleMessage("system", { lane: otherLane, kind: "system" }),
      ]);
      assert.deepEqual(await store.commit(sampleMigration()), counted(0, 4, 0));
      assert.equal(await listHistory(store, sampleAddress), "ended");
      assert.equal(await listHistory(store, movedAddress), "plain /c");
      assert.equal(await listHistory(store, `${movedAddress}/7`), "topic");
      assert.equal(await listHistory(store, `${sampleAddress}bert`), "longer");
      assert.equal((await store.read.waitingCommands({ limit: 9 }))[0]?.address, movedAddress);
      assert.equal((await claimLane(store, otherLane, "c1")).item.address, movedAddress);
      assert.equal((await store.read.lane(otherLane)).waiting, 4);
    },
  },
  {
    name: "migrate: what runs in a lane that stays goes on running, its item at the new address",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      assert.deepEqual(await store.commit(sampleMigration()), counted(0, 1, 0));
      assert.deepEqual((await store.read.lane(sampleLane)).active, [item.seq]);
      assert.equal((await claimLane(store, sampleLane, "claim of m1")).item.address, movedAddress);
      assert.equal((await store.commit(sampleCommit(epoch, [item.seq]))).status, "done");
    },
  },
  {
    name: "migrate: a turn of a session that moves is fenced off, its item waits again under the new key and address",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await receiveOne(store, sampleMessage("m2"));
      assert.deepEqual(await store.commit(sampleMigration({ sessions: [sampleMove()] })), counted(1, 2, 0));
      await assertChangesNothing(store, sampleCommit(epoch, [item.seq]), { status: "fenced" });
      const next = await claimLane(store, movedLane, "c2");
      assert.deepEqual([next.item.seq, next.item.attempt, next.item.address], [item.seq, 1, movedAddress]);
      assert.ok(next.epoch > epoch);
    },
  },
  {
    name: "migrate: deliveries that are not settled, or may be retried, go to the new chat; what was sent stays on record",
    async run(harness) {
      const store = await harness.open();
      await writeDeliveries(store);
      const thread = `${sampleAddress}/7`;
      await receiveOne(store, sampleMessage("m", { deliveries: [sampleDelivery("topic", { address: thread })] }));
      assert.deepEqual(await store.commit(sampleMigration()), counted(0, 1, 6));
      for (const id of ["pending", "sending", "stuck", "unknown", "undeliverable"]) {
        const row = await getDelivery(store, id);
        assert.deepEqual([row.state, row.address, row.chat], [id, movedAddress, movedAddress]);
      }
      const topic = await getDelivery(store, "topic");
      assert.deepEqual([topic.address, topic.chat], [`${movedAddress}/7`, movedAddress]);
      for (const id of ["sent", "sent_maybe_repeated"])
        assert.equal((await getDelivery(store, id)).address, sampleAddress);
      assert.equal(await listHistory(store, movedAddress), "pending sending stuck unknown undeliverable m");
      const settle = {
        step: "settle",
        id: "sending",
        attempt: 1,
        outcome: { state: "sent", platformId: "p" },
      } as const;
      assert.deepEqual(await store.commit(settle), { status: "done" });
      await assertChangesNothing(store, sampleMigration(), already);
    },
  },
  {
    name: "migrate: a session whose new key is taken stays; what waits or runs in it goes on in the other, a turn there runs on",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const later = await receiveOne(store, sampleMessage("m2"));
      await receiveOne(store, sampleMessage("m3", { lane: movedLane }));
      const running = await claimLane(store, movedLane, "c2");
      const step = sampleMigration({ sessions: [sampleMove({ expectRevision: 7 })] });
      assert.deepEqual(await store.commit(step), counted(0, 3, 0));
      assert.equal((await store.read.session(sampleLane))?.revision, 1);
      assert.equal((await store.read.session(movedLane))?.body, "{}");
      await assertChangesNothing(store, sampleCommit(epoch, [item.seq]), { status: "fenced" });
      assert.equal((await store.read.lane(movedLane)).waiting, 2);
      const session = sampleSession(movedLane, { expectRevision: 1 });
      const commit = sampleCommit(running.epoch, [running.item.seq], { lane: movedLane, session });
      assert.equal((await store.commit(commit)).status, "done");
      const next = await claimLane(store, movedLane, "c3");
      assert.deepEqual([next.item.seq, next.item.attempt], [item.seq, 1]);
      const last = sampleCommit(next.epoch, [item.seq, later], {
        lane: movedLane,
        session: { ...session, expectRevision: 2 },
      });
      assert.equal((await store.commit(last)).status, "done");
      await assertChangesNothing(store, step, already);
    },
  },
  {
    name: "migrate: two sessions that become one key: the first moves, the second stays and its items follow",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [sampleMessage("a"), sampleMessage("b", { lane: otherLane })]);
      const sessions = [sampleMove(), sampleMove({ from: otherLane, expectRevision: 7 })];
      assert.deepEqual(await store.commit(sampleMigration({ sessions })), counted(1, 2, 0));
      assert.equal((await store.read.sessionById(`id of ${sampleLane}`))?.key, movedLane);
      assert.ok(await store.read.session(otherLane));
      assert.equal((await store.read.lane(movedLane)).waiting, 2);
    },
  },
  {
    name: "migrate: another revision of one session is a conflict that changes nothing of the others",
    async run(harness) {
      const store = await harness.open();
      await receiveAll(store, [
        sampleMessage("a", { deliveries: [sampleDelivery("d")] }),
        sampleMessage("b", { lane: otherLane }),
      ]);
      const sessions = [sampleMove(), sampleMove({ from: otherLane, to: "agent:main:elsewhere", expectRevision: 2 })];
      await assertChangesNothing(store, sampleMigration({ sessions }), { status: "refused", reason: "conflict" });
    },
  },
  {
    name: "migrate: what comes for the old chat after the move goes with the step sent again, and the revision stays",
    async run(harness) {
      const store = await harness.open();
      assert.deepEqual(await store.commit(sampleMigration()), counted(0, 0, 0));
      await receiveOne(store, sampleMessage("late", { deliveries: [sampleDelivery("d")] }));
      const step: MigrateChatStep = sampleMigration({ sessions: [sampleMove()] });
      assert.deepEqual(await store.commit(step), counted(1, 1, 1));
      assert.equal((await store.read.routes()).revision, 1);
      await assertChangesNothing(store, step, already);
      const onward = sampleMigration({ move: { ...step.move, toChat: "further" }, addresses: [] });
      assert.deepEqual(await store.commit(onward), counted(0, 0, 0));
      const { revision, chatMoves } = await store.read.routes();
      assert.deepEqual([revision, chatMoves], [2, [onward.move]]);
    },
  },
];
