import assert from "node:assert/strict";
import { ada, bob, movedLane, sampleMove, sampleRekey } from "../sample-route.ts";
import {
  otherLane,
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleEntries,
  sampleLane,
  sampleMessage,
  sampleReceive,
  sampleSession,
  sampleToolResult,
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

const done = { status: "done" } as const;
const fenced = { status: "fenced" } as const;
const { sessionId, file } = sampleSession(sampleLane);

export const rekeyCases: readonly StoreCase[] = [
  {
    name: "rekey: the record goes on under the new key with its id and file, and all its transcripts; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "e1", "e2");
      const fresh = sampleSession(sampleLane, { sessionId: "second id", file: "second.jsonl", expectRevision: 1 });
      await store.commit({ step: "write_session", writeId: "reset", session: fresh });
      const step = sampleRekey({ expectRevision: 2 }, "second id");
      assert.deepEqual(await store.commit(step), done);
      assert.equal(await store.read.session(sampleLane), undefined);
      const session = await store.read.session(movedLane);
      assert.deepEqual([session?.body, session?.revision, session?.file], [step.move.body, 3, "second.jsonl"]);
      assert.deepEqual(await store.read.sessionById("second id"), session);
      assert.deepEqual(await store.read.sessionByFile("main", "second.jsonl"), session);
      assert.deepEqual(await store.read.sessions({ limit: 9 }), [session]);
      const entries = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual(
        entries.map(({ id, sessionKey }) => [id, sessionKey]),
        [
          ["e1", movedLane],
          ["e2", movedLane],
        ],
      );
      assert.equal((await store.read.audit({ limit: 9 })).length, 1);
      await assertChangesNothing(store, step, { status: "already" });
      assert.equal((await store.read.routes()).revision, 0);
    },
  },
  {
    name: "rekey: not found, another revision, another session id and a taken key are refused",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, sampleRekey(), { status: "refused", reason: "not_found" });
      await writeTranscript(store, sampleLane, "e1");
      const conflict = { status: "refused", reason: "conflict" } as const;
      for (const expectRevision of [0, 2]) await assertChangesNothing(store, sampleRekey({ expectRevision }), conflict);
      await assertChangesNothing(store, sampleRekey({}, "another id"), conflict);
      await writeTranscript(store, movedLane, "e2");
      await assertChangesNothing(store, sampleRekey(), { status: "refused", reason: "wrong_state" });
    },
  },
  {
    name: "rekey: what waits goes on in the new lane in its order, a command before the messages behind it",
    async run(harness) {
      const store = await harness.open();
      const writer = (who: { channel: string; peer: string }) => ({ writer: who });
      await receiveAll(store, [
        sampleMessage("m1", writer(bob)),
        sampleCommand("/c"),
        sampleMessage("m2", writer(ada)),
      ]);
      await receiveOne(store, sampleCommand("/later", { lane: otherLane }));
      assert.deepEqual(await store.commit(sampleRekey()), done);
      assert.deepEqual(await store.read.lane(sampleLane), { lane: sampleLane, epoch: 0, waiting: 0, active: [] });
      assert.equal((await store.read.lane(movedLane)).waiting, 2);
      assert.deepEqual(
        (await store.read.waitingCommands({ limit: 9 })).map(({ lane }) => lane),
        [movedLane, otherLane],
      );
      assert.deepEqual(
        (await store.read.readyLanes({ limit: 9 })).map(({ lane }) => lane),
        [movedLane],
      );
      const { item, session } = await claimLane(store, movedLane, "c1");
      assert.deepEqual([item.lane, item.body, session?.key], [movedLane, sampleMessage("m1").body, movedLane]);
      const peers = (await store.read.writers(movedLane)).map(({ peer, sessionKey }) => [peer, sessionKey]);
      assert.deepEqual(peers.toSorted(), [
        ["ada", movedLane],
        ["bob", movedLane],
      ]);
      assert.deepEqual(await store.read.writers(sampleLane), []);
    },
  },
  {
    name: "rekey: a turn that runs is fenced off, its item waits again in the new lane with its attempt given back",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await store.commit(sampleToolResult(epoch, item.seq, "tool"));
      assert.deepEqual(await store.commit(sampleRekey()), done);
      const late = sampleCommit(epoch, [item.seq], { deliveries: [sampleDelivery("late")] });
      await assertChangesNothing(store, late, fenced);
      await assertChangesNothing(store, sampleToolResult(epoch, item.seq, "late"), fenced);
      for (const giveBackAttempt of [true, false]) {
        await assertChangesNothing(store, { step: "release", lane: sampleLane, epoch, giveBackAttempt }, fenced);
      }
      const repeat = { step: "claim", lane: sampleLane, owner: "o", claimId: "claim of m1" } as const;
      await assertChangesNothing(store, repeat, { status: "refused", reason: "empty" });
      assert.equal((await store.read.counts()).activeLanes, 0);
      const next = await claimLane(store, movedLane, "c2");
      assert.deepEqual([next.item.seq, next.item.attempt], [item.seq, 1]);
      assert.ok(next.epoch > epoch);
      assert.equal((await store.read.entriesOfItem({ itemSeq: item.seq }))[0]?.id, "tool");
      const session = sampleSession(movedLane, { sessionId, file, expectRevision: 2 });
      const commit = sampleCommit(next.epoch, [item.seq], { lane: movedLane, session });
      assert.equal((await store.commit(commit)).status, "done");
    },
  },
  {
    name: "rekey: an epoch of the old lane never comes again, whoever talks under the old key afterwards",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await store.commit(sampleRekey());
      const session = sampleSession(sampleLane, { sessionId: "new id", file: "new.jsonl" });
      await receiveOne(store, sampleMessage("m2", { session }));
      const next = await claimLane(store, sampleLane, "c2");
      assert.ok(next.epoch > epoch + 1, `${next.epoch} > ${epoch} + 1`);
      await assertChangesNothing(store, sampleCommit(epoch, [item.seq]), fenced);
      await store.commit({ step: "release", lane: sampleLane, epoch: next.epoch, giveBackAttempt: true });
      const back = sampleRekey({ from: movedLane, to: "agent:main:back", expectRevision: 2 });
      assert.deepEqual(await store.commit(back), done);
      assert.ok((await claimLane(store, "agent:main:back", "c3")).epoch > epoch);
    },
  },
  {
    name: "rekey: what was committed or answered before is known by a repeat in the old lane",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const commit = sampleCommit(epoch, [item.seq], { deliveries: [sampleDelivery("d")] });
      const { status } = await store.commit(commit);
      assert.equal(status, "done");
      const seq = await receiveOne(store, sampleCommand("/c"));
      const command = { step: "command", lane: sampleLane, seq, items: [], deliveries: [] } as const;
      await store.commit(command);
      await store.commit(sampleRekey({ expectRevision: 2 }));
      await assertChangesNothing(store, commit, { status: "already", waiting: 0, revision: 2 });
      await assertChangesNothing(store, command, { status: "already" });
      const again = { outcome: "duplicate", seq: item.seq, deliveries: [] } as const;
      await assertChangesNothing(store, sampleReceive([sampleMessage("m1")]), { status: "done", items: [again] });
    },
  },
  {
    name: "rekey: a command that waited is settled in the new lane, in the old one it is in the wrong state",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/c"));
      await store.commit(sampleRekey());
      const command = { step: "command", lane: sampleLane, seq, items: [], deliveries: [] } as const;
      await assertChangesNothing(store, command, { status: "refused", reason: "wrong_state" });
      assert.equal((await store.commit({ ...command, lane: movedLane })).status, "done");
    },
  },
  {
    name: "rekey: deliveries of the session that may still be sent name the new key, sent ones the old",
    async run(harness) {
      const store = await harness.open();
      const own = { sessionKey: sampleLane };
      const deliveries = [
        sampleDelivery("pending", own),
        sampleDelivery("unknown", { ...own, sendingOwner: "o" }),
        sampleDelivery("sent", { ...own, sendingOwner: "o" }),
        sampleDelivery("other", { sessionKey: "agent:main:main" }),
      ];
      await receiveOne(store, sampleMessage("m", { deliveries }));
      const lost = { state: "unknown", error: "cut off" } as const;
      await store.commit({ step: "settle", id: "unknown", attempt: 1, outcome: lost });
      await store.commit({ step: "settle", id: "sent", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await store.commit(sampleRekey());
      const keys = await Promise.all(deliveries.map(async ({ id }) => (await getDelivery(store, id)).sessionKey));
      assert.deepEqual(keys, [movedLane, movedLane, sampleLane, "agent:main:main"]);
    },
  },
  {
    name: "rekey: entries go on in the same transcript, under the new key",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane, "e1");
      await store.commit(sampleRekey());
      const append = { step: "append_entries", sessionId, entries: sampleEntries("e2") } as const;
      const noSession = { status: "refused", reason: "no_session" } as const;
      await assertChangesNothing(store, { ...append, sessionKey: sampleLane }, noSession);
      assert.deepEqual(await store.commit({ ...append, sessionKey: movedLane }), done);
      const entries = await store.read.entries({ sessionId, limit: 9 });
      assert.deepEqual(
        entries.map(({ seq, sessionKey }) => [seq, sessionKey]),
        [
          [1, movedLane],
          [2, movedLane],
        ],
      );
    },
  },
  {
    name: "rekey: sent again after the session moved on is refused, and the old key can be used anew",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane);
      await store.commit(sampleRekey());
      const back = { ...sampleMove({ expectRevision: 2 }), from: movedLane, to: sampleLane };
      assert.deepEqual(await store.commit(sampleRekey(back)), done);
      await assertChangesNothing(store, sampleRekey(), { status: "refused", reason: "conflict" });
      assert.equal((await store.read.session(sampleLane))?.revision, 3);
    },
  },
];
