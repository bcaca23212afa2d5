import assert from "node:assert/strict";
import type { PruneStep } from "../../steps.ts";
import type { Store } from "../../store.ts";
import { acceptRun, commitDone, endRuns, reserveRun, startParent, startRun } from "../run-script.ts";
import {
  childKey,
  sampleChild,
  sampleEnd,
  sampleQuietEnd,
  sampleReserve,
  sampleRun,
  sampleTimer,
} from "../sample-run.ts";
import {
  sampleAudit,
  sampleDelivery,
  sampleEntries,
  sampleLane,
  sampleMessage,
  sampleSession,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, receiveOne, writeDelivery, writeTranscript } from "../store-script.ts";

const OLD_MS = 1e9;
const child = childKey("a");
const archiveChild = { step: "archive_session", key: child, audit: sampleAudit } as const;

/** Of runs of any age, but of nothing else that could go. */
function prune(more: Partial<PruneStep> = {}): PruneStep {
  return { step: "prune", olderThanMs: OLD_MS, runsOlderThanMs: 0, limit: 99, ...more };
}

/** Ends it without a word; its turn never runs. */
async function finish(store: Store, runId: string): Promise<void> {
  const run = sampleRun(runId);
  const sessionId = `id of ${childKey(runId)}`;
  await acceptRun(store, run);
  await endRuns(store, sampleQuietEnd(run, { stop: { epoch: 0, sessionId, entries: sampleEntries(`e of ${runId}`) } }));
}

async function archive(store: Store, runId: string): Promise<void> {
  await commitDone(store, { step: "archive_run", runId, timers: [] });
}

async function listRunIds(store: Store): Promise<readonly string[]> {
  return (await store.read.runs({ limit: 99 })).map(({ runId }) => runId);
}

async function countRemoved(store: Store, step: PruneStep): Promise<number> {
  const result = await store.commit(step);
  return result.removed;
}

export const runPruneCases: readonly StoreCase[] = [
  {
    name: "prune of runs: an archived one goes with its child's session, writers and transcript",
    async run(harness) {
      const store = await harness.open();
      await finish(store, "a");
      const { sessionId, file } = sampleSession(child);
      await archive(store, "a");
      await assertChangesNothing(
        store,
        { step: "prune", olderThanMs: OLD_MS, limit: 9 },
        { status: "done", removed: 0 },
      );
      assert.equal(await countRemoved(store, prune()), 2);
      assert.deepEqual(await listRunIds(store), []);
      assert.equal(await store.read.runByDedupe("call a"), undefined);
      assert.equal(await store.read.session(child), undefined);
      assert.equal(await store.read.sessionById(sessionId), undefined);
      assert.equal(await store.read.sessionByFile("main", file), undefined);
      assert.deepEqual(await store.read.entries({ sessionId, limit: 9 }), []);
      assert.deepEqual(
        (await store.read.sessions({ limit: 9 })).map(({ key }) => key),
        [sampleLane],
      );
      assert.equal((await store.read.counts()).sessions, 1);
      await assertChangesNothing(store, prune(), { status: "done", removed: 0 });
    },
  },
  {
    name: "prune of runs: earlier transcripts and the writers of the child's session go as well",
    async run(harness) {
      const store = await harness.open();
      await finish(store, "a");
      const fresh = sampleSession(child, { sessionId: "second id", file: "second.jsonl", expectRevision: 1 });
      await commitDone(store, { step: "write_session", writeId: "reset", session: fresh });
      await receiveOne(store, sampleMessage("m", { lane: child, writer: { channel: "test", peer: "ada" } }));
      const { item, epoch } = await claim(store, child);
      const session = { ...fresh, expectRevision: 2 };
      const turn = { step: "commit_turn", lane: child, epoch, items: [item], itemState: "done", session } as const;
      await commitDone(store, { ...turn, entries: sampleEntries("later"), deliveries: [] });
      await archive(store, "a");
      assert.equal(await countRemoved(store, prune()), 2);
      for (const sessionId of [`id of ${child}`, "second id"])
        assert.deepEqual(await store.read.entries({ sessionId, limit: 9 }), []);
      assert.deepEqual([await store.read.entriesOfItem({ itemSeq: item }), await store.read.writers(child)], [[], []]);
    },
  },
  {
    name: "prune of runs: one that is to be archived, or has not the age, stays; one of which nothing is due does not",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      for (const runId of ["a", "b", "d"]) await finish(store, runId);
      await archive(store, "a");
      await commitDone(store, { step: "set_timers", arm: [sampleTimer("to archive", { subject: "b" })], end: [] });
      await reserveRun(store, sampleRun("c"));
      await commitDone(store, { step: "undo_run", runId: "c" });
      await assertChangesNothing(store, prune({ runsOlderThanMs: 60_000 }), { status: "done", removed: 0 });
      await harness.advance?.(60_000);
      assert.equal(await countRemoved(store, prune({ runsOlderThanMs: 60_000 })), 4);
      assert.deepEqual(await listRunIds(store), ["b"]);
      assert.ok(await store.read.session(childKey("d")));
    },
  },
  {
    name: "prune of runs: one stays while a delivery tells of it or a child of it is not through",
    async run(harness) {
      const store = await harness.open();
      const { parent, claim: first } = await startParent(store);
      await acceptRun(store, sampleChild("a", parent, { isAwaited: false, requesterSessionKey: sampleLane }));
      const stop = { epoch: first.epoch, sessionId: `id of ${first.lane}`, entries: [] };
      await endRuns(store, sampleQuietEnd(parent, { stop }));
      await archive(store, "r");
      await assertChangesNothing(store, prune(), { status: "done", removed: 0 });
      await endRuns(store, sampleQuietEnd(sampleChild("a", parent), { timers: [sampleTimer("t", { subject: "a" })] }));
      await writeDelivery(store, sampleDelivery("d", { kind: "completion", runId: "r", sendingOwner: "o" }));
      await commitDone(store, { step: "settle", id: "d", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await assertChangesNothing(store, prune(), { status: "done", removed: 0 });
      await commitDone(store, { step: "prune", olderThanMs: 0, limit: 99 });
      assert.equal(await countRemoved(store, prune()), 2);
      assert.deepEqual(await listRunIds(store), ["a"]);
    },
  },
  {
    name: "prune of runs: a session stays while another run has it as its child, or it is archived no more",
    async run(harness) {
      const store = await harness.open();
      await finish(store, "a");
      const second = sampleRun("b", { childSessionKey: child });
      await commitDone(store, sampleReserve(second));
      await commitDone(store, { step: "undo_run", runId: "b" });
      await commitDone(store, sampleReserve(sampleRun("c", { childSessionKey: childKey("c") })));
      await finish(store, "d");
      await archive(store, "a");
      await archive(store, "d");
      await receiveOne(store, sampleMessage("m", { lane: childKey("d") }));
      assert.equal(await countRemoved(store, prune({ limit: 1 })), 1);
      assert.deepEqual([await listRunIds(store), (await store.read.session(child))?.key], [["b", "c", "d"], child]);
      assert.equal(await countRemoved(store, prune()), 3);
      assert.equal(await store.read.session(child), undefined);
      assert.equal((await store.read.session(childKey("d")))?.key, childKey("d"));
    },
  },
  {
    name: "prune of runs: at most `limit`, those first that ended first",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, sampleRun("c"));
      for (const id of ["b", "a"]) {
        await finish(store, id);
        await harness.advance?.(1);
      }
      await endRuns(
        store,
        sampleQuietEnd(sampleRun("c"), { stop: { epoch: 0, sessionId: `id of ${childKey("c")}`, entries: [] } }),
      );
      for (const id of ["a", "b", "c"]) await archive(store, id);
      assert.equal(await countRemoved(store, prune({ limit: 2 })), 4);
      assert.deepEqual(await listRunIds(store), ["c"]);
    },
  },
  {
    name: "prune of runs: sessions that were archived by themselves go by their own age",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child, "e");
      await writeTranscript(store, childKey("b"));
      await commitDone(store, archiveChild);
      await harness.advance?.(60_000);
      await commitDone(store, { ...archiveChild, key: childKey("b") });
      assert.equal(await countRemoved(store, prune({ runsOlderThanMs: 60_000 })), 1);
      assert.deepEqual(
        [await store.read.session(child), (await store.read.session(childKey("b")))?.key],
        [undefined, childKey("b")],
      );
      await commitDone(store, { step: "write_session", writeId: "anew", session: sampleSession(child) });
      const entries = {
        step: "append_entries",
        sessionKey: child,
        sessionId: `id of ${child}`,
        entries: sampleEntries("e"),
      } as const;
      await commitDone(store, entries);
      assert.equal((await store.read.session(child))?.revision, 1);
      assert.equal((await store.read.entries({ sessionId: `id of ${child}`, limit: 9 })).length, 1);
    },
  },
  {
    name: "prune: a completion that reached nobody stays until the operator drops it; a retry takes the word back",
    async run(harness) {
      const store = await harness.open();
      const all = { step: "prune", olderThanMs: 0, limit: 99 } as const;
      const drop = (id: string) => ({ step: "drop_delivery", id, audit: sampleAudit }) as const;
      for (const state of ["unknown", "undeliverable"] as const) {
        await writeDelivery(store, sampleDelivery(state, { kind: "completion", sendingOwner: "o" }));
        await commitDone(store, { step: "settle", id: state, attempt: 1, outcome: { state, error: "e" } });
      }
      await writeDelivery(store, sampleDelivery("sent", { kind: "completion", sendingOwner: "o" }));
      await commitDone(store, { step: "settle", id: "sent", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await commitDone(store, all);
      const left = async () => (await store.read.deliveries({ limit: 9 })).map(({ id }) => id);
      assert.deepEqual(await left(), ["unknown", "undeliverable"]);
      for (const id of ["unknown", "undeliverable"]) {
        await commitDone(store, drop(id));
        await assertChangesNothing(store, drop(id), { status: "already" });
      }
      await commitDone(store, { step: "retry_delivery", id: "unknown", audit: sampleAudit });
      await commitDone(store, { step: "attempt", id: "unknown", owner: "o", attempt: 1 });
      const outcome = { state: "undeliverable", error: "e" } as const;
      await commitDone(store, { step: "settle", id: "unknown", attempt: 1, outcome });
      await commitDone(store, all);
      assert.deepEqual(await left(), ["unknown"]);
    },
  },
  {
    name: "prune: a held completion stays, and so does the run that waits for it",
    async run(harness) {
      const store = await harness.open();
      const { parent } = await startParent(store);
      await startRun(store, sampleChild("a", parent));
      await acceptRun(store, sampleChild("b", parent));
      await endRuns(store, sampleEnd(sampleChild("a", parent)));
      const everything = { step: "prune", olderThanMs: 0, runsOlderThanMs: 0, limit: 99 } as const;
      await assertChangesNothing(store, everything, { status: "done", removed: 0 });
    },
  },
];

async function claim(store: Store, lane: string): Promise<{ readonly item: number; readonly epoch: number }> {
  const result = await store.commit({ step: "claim", lane, owner: "o", claimId: `claim of ${lane}` });
  if (result.status !== "done") assert.fail(`claim of ${lane}: ${result.reason}`);
  return { item: result.claim.item.seq, epoch: result.claim.epoch };
}
