import assert from "node:assert/strict";
import { acceptRun, commitDone, completionOf, endRuns, getRun, startParent, startRun } from "../run-script.ts";
import { movedAddress, movedLane, sampleMigration, sampleMove, sampleRekey } from "../sample-route.ts";
import { childKey, sampleBinding, sampleChild, sampleEnd, sampleQuietEnd, sampleRun } from "../sample-run.ts";
import { sampleAddress, sampleAudit, sampleLane, sampleMessage, sampleSession } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveOne, startTurn, writeTranscript } from "../store-script.ts";

const conflict = { status: "refused", reason: "conflict" } as const;
const run = sampleRun("a");

export const runMoveCases: readonly StoreCase[] = [
  {
    name: "rekey: runs name the session by its new key, whatever it is to them; bindings lead there",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      const child = sampleChild("a", parent);
      await acceptRun(store, child, { binding: sampleBinding("b", sampleLane) });
      await acceptRun(store, sampleRun("x", { childSessionKey: "agent:main:child:x" }));
      await endRuns(store, sampleEnd(sampleRun("x")));
      const { revision } = await store.read.routes();
      await commitDone(store, sampleRekey());
      const [r, a, x] = [await getRun(store, "r"), await getRun(store, "a"), await getRun(store, "x")];
      assert.deepEqual(
        [r.requesterSessionKey, r.rootSessionKey, r.childSessionKey],
        [movedLane, movedLane, childKey("r")],
      );
      assert.deepEqual([a.requesterSessionKey, a.rootSessionKey], [childKey("r"), movedLane]);
      assert.equal(x.toldSessionKey, movedLane);
      const ids = async (key: string) =>
        (await store.read.runs({ requesterSessionKey: key, limit: 9 })).map(({ runId }) => runId);
      assert.deepEqual([await ids(sampleLane), await ids(movedLane)], [[], ["r", "x"]]);
      assert.deepEqual(
        (await store.read.runs({ unsettled: true, toldSessionKey: movedLane, limit: 9 })).map(({ runId }) => runId),
        ["x"],
      );
      const routes = await store.read.routes();
      assert.deepEqual(
        [routes.revision, routes.bindings.map(({ sessionKey }) => sessionKey)],
        [revision + 1, [movedLane]],
      );
      assert.equal((await store.read.bindings({ sessionKey: movedLane })).length, 1);
      const archive = { step: "archive_session", key: movedLane, audit: sampleAudit } as const;
      await assertChangesNothing(store, archive, { status: "refused", reason: "busy" });
      const stale = { step: "end_runs", ends: [sampleEnd(parent)], closed: [] } as const;
      await assertChangesNothing(store, stale, conflict);
      const nobody = sampleQuietEnd(parent, { requesterSessionKey: sampleLane });
      await assertChangesNothing(store, { ...stale, ends: [nobody] }, conflict);
    },
  },
  {
    name: "rekey of a child: its run goes on in the new lane, and what its lane held is held there",
    async run(harness) {
      const store = await harness.open();
      const { parent, claim } = await startParent(store);
      const [first, second] = [sampleChild("a", parent), sampleChild("b", parent)];
      for (const each of [first, second]) await acceptRun(store, each);
      await endRuns(store, sampleEnd(first));
      const move = sampleMove({ from: claim.lane });
      await commitDone(store, { ...sampleRekey(move), sessionId: `id of ${claim.lane}` });
      assert.equal((await getRun(store, "r")).childSessionKey, movedLane);
      assert.deepEqual(await completionOf(store, first), ["held", "turn"]);
      const open = await store.read.openItems({ lane: movedLane, limit: 9 });
      assert.deepEqual(
        open.map(({ kind, state }) => [kind, state]),
        [
          ["nested", "waiting"],
          ["completion", "held"],
        ],
      );
      assert.deepEqual(await store.read.openItems({ lane: claim.lane, limit: 9 }), []);
      assert.equal((await store.read.lane(movedLane)).waiting, 1);
      assert.deepEqual(await endRuns(store, sampleQuietEnd(second)), [movedLane]);
      assert.deepEqual(await completionOf(store, first), ["waiting", "turn"]);
    },
  },
  {
    name: "rekey: the records of children are written with it; another revision of one is a conflict",
    async run(harness) {
      const store = await harness.open();
      await startRun(store, run);
      const record = sampleSession(childKey("a"), { expectRevision: 1, body: '{"parent":"moved"}' });
      const children = [{ ...record, expectRevision: 2 }];
      await assertChangesNothing(store, { ...sampleRekey(), children }, conflict);
      const step = { ...sampleRekey(), children: [record] };
      await commitDone(store, step);
      const row = await store.read.session(childKey("a"));
      assert.deepEqual([row?.body, row?.revision], [record.body, 2]);
      await assertChangesNothing(store, step, { status: "already" });
    },
  },
  {
    name: "rekey of an archived session: it is archived under its new key too",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane);
      await commitDone(store, { step: "archive_session", key: sampleLane, audit: sampleAudit });
      await commitDone(store, sampleRekey({ expectRevision: 2 }));
      assert.ok((await store.read.session(movedLane))?.archivedAtMs !== undefined);
      assert.deepEqual([await store.read.sessions({ limit: 9 }), (await store.read.counts()).sessions], [[], 0]);
      await receiveOne(store, sampleMessage("m", { lane: movedLane }));
      assert.equal((await store.read.counts()).sessions, 1);
    },
  },
  {
    name: "migrate: runs and bindings go on at the chat's new address, with the records of children; a repeat is already",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run, { binding: sampleBinding("b", childKey("a")) });
      const other = sampleRun("b", { route: "test|default|bob" });
      await acceptRun(store, other);
      await endRuns(store, sampleQuietEnd(other, { target: `${sampleAddress}/7` }));
      const { revision } = await store.read.routes();
      const record = sampleSession(childKey("a"), { expectRevision: 1, body: '{"parent":"moved"}' });
      const stale = [{ ...record, expectRevision: 3 }];
      await assertChangesNothing(store, sampleMigration({ sessions: [sampleMove()], children: stale }), conflict);
      const step = sampleMigration({ sessions: [sampleMove()], children: [record] });
      await commitDone(store, step);
      const [a, b] = [await getRun(store, "a"), await getRun(store, "b")];
      assert.deepEqual([a.route, a.requesterSessionKey, "target" in a], [movedAddress, movedLane, false]);
      assert.deepEqual([b.route, b.target], ["test|default|bob", `${movedAddress}/7`]);
      const routes = await store.read.routes();
      assert.deepEqual(
        routes.bindings.map(({ id, address }) => [id, address]),
        [["b", `${movedAddress}/thread`]],
      );
      assert.equal(routes.revision, revision + 2);
      assert.equal((await store.read.session(childKey("a")))?.revision, 2);
      await assertChangesNothing(store, step, { status: "already" });
    },
  },
  {
    name: "migrate: a binding whose new address is taken goes",
    async run(harness) {
      const store = await harness.open();
      const there = sampleBinding("there", childKey("a"), { address: `${movedAddress}/thread` });
      await acceptRun(store, run, { binding: sampleBinding("here", childKey("a")) });
      await commitDone(store, { step: "bind", address: there.address, binding: there, timers: [], endTimers: [] });
      await commitDone(store, sampleMigration());
      assert.deepEqual(
        (await store.read.routes()).bindings.map(({ id }) => id),
        ["there"],
      );
    },
  },
  {
    name: "migrate: a binding that moves keeps its place among the others",
    async run(harness) {
      const store = await harness.open();
      const stays = sampleBinding("stays", childKey("a"), { address: "test|default|bob/thread" });
      await acceptRun(store, run, { binding: sampleBinding("moves", childKey("a")) });
      await commitDone(store, { step: "bind", address: stays.address, binding: stays, timers: [], endTimers: [] });
      await commitDone(store, sampleMigration());
      const { bindings } = await store.read.routes();
      assert.deepEqual(
        bindings.map(({ id }) => id),
        ["moves", "stays"],
      );
    },
  },
  {
    name: "migrate: a run that was asked for at the old address meanwhile is something left to move",
    async run(harness) {
      const store = await harness.open();
      await commitDone(store, sampleMigration());
      await acceptRun(store, run);
      const stop = { epoch: 0, sessionId: `id of ${childKey("a")}`, entries: [] };
      await endRuns(store, sampleQuietEnd(run, { stop }));
      await commitDone(store, sampleMigration());
      assert.equal((await getRun(store, "a")).route, movedAddress);
    },
  },
  {
    name: "migrate: a held completion moves with its chat",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      for (const id of ["a", "b"]) await acceptRun(store, sampleChild(id, parent));
      await endRuns(store, sampleEnd(sampleChild("a", parent)));
      await commitDone(store, sampleMigration());
      assert.equal((await store.read.itemByDedupe("completion|a"))?.address, movedAddress);
    },
  },
  {
    name: "migrate: what waits for a key that an archived session has taken finds it archived no more",
    async run(harness) {
      const store = await harness.open();
      await startTurn(store);
      await writeTranscript(store, movedLane);
      await commitDone(store, { step: "archive_session", key: movedLane, audit: sampleAudit });
      await commitDone(store, sampleMigration({ sessions: [sampleMove()] }));
      const row = await store.read.session(movedLane);
      assert.deepEqual([row && "archivedAtMs" in row, row?.revision], [false, 3]);
      assert.equal((await claimLane(store, movedLane, "c")).item.kind, "message");
    },
  },
  {
    name: "migrate: a completion that goes on in a session under a taken key makes that one the told",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      await endRuns(store, sampleEnd(run));
      await writeTranscript(store, movedLane);
      await commitDone(store, sampleMigration({ sessions: [sampleMove()] }));
      const { toldSessionKey, requesterSessionKey } = await getRun(store, "a");
      assert.deepEqual([toldSessionKey, requesterSessionKey], [movedLane, sampleLane]);
      const untold = await store.read.runs({ toldSessionKey: movedLane, unsettled: true, limit: 9 });
      assert.deepEqual(
        untold.map(({ runId }) => runId),
        ["a"],
      );
    },
  },
];
