import assert from "node:assert/strict";
import type { Store } from "../../store.ts";
import { acceptRun, commitDone, endRuns, getRun } from "../run-script.ts";
import { childKey, sampleQuietEnd, sampleRun } from "../sample-run.ts";
import { sampleAudit, sampleCommit, sampleDelivery } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, startTurn } from "../store-script.ts";

export const toldTogetherCases: readonly StoreCase[] = [
  {
    name: "speeches: a run that is told of with another is not put away while that one's deliveries are",
    async run(harness) {
      const store = await harness.open();
      for (const id of ["x", "y"]) {
        await acceptRun(store, sampleRun(id));
        const stop = { epoch: 0, sessionId: `id of ${childKey(id)}`, entries: [] };
        const { settledBy: _, ...end } = sampleQuietEnd(sampleRun(id), { stop });
        await endRuns(store, end);
      }
      const { epoch, item } = await startTurn(store);
      const deliveries = [sampleDelivery("d", { kind: "completion", runId: "y", sendingOwner: "o" })];
      const speeches = [
        { runId: "x", by: "parent", toldWithRunId: "y" },
        { runId: "y", by: "parent" },
      ] as const;
      await commitDone(store, sampleCommit(epoch, [item.seq], { deliveries, speeches }));
      assert.equal((await getRun(store, "x")).toldWithRunId, "y");
      const archive = { step: "archive_run", runId: "x", timers: [] } as const;
      await assertChangesNothing(store, archive, { status: "refused", reason: "busy" });
      await commitDone(store, { step: "settle", id: "d", attempt: 1, outcome: { state: "unknown", error: "e" } });
      await commitDone(store, archive);
      const prune = { step: "prune", olderThanMs: 0, runsOlderThanMs: 0, limit: 99 } as const;
      await commitDone(store, prune);
      assert.equal((await getRun(store, "x")).archivedAtMs === undefined, false);
      await commitDone(store, { step: "drop_delivery", id: "d", audit: sampleAudit });
      await commitDone(store, prune);
      await commitDone(store, prune);
      assert.equal(await store.read.run("x"), undefined);
    },
  },
  {
    name: "prune of runs: one that was announced with another run stays while a delivery of that one is kept",
    async run(harness) {
      const store = await harness.open();
      for (const id of ["x", "y"]) {
        await acceptRun(store, sampleRun(id));
        const stop = { epoch: 0, sessionId: `id of ${childKey(id)}`, entries: [] };
        const { settledBy: _, ...end } = sampleQuietEnd(sampleRun(id), { stop });
        await endRuns(store, end);
      }
      const { epoch, item } = await startTurn(store);
      const deliveries = [sampleDelivery("d", { kind: "completion", runId: "y", sendingOwner: "o" })];
      const speeches = [
        { runId: "x", by: "parent", toldWithRunId: "y" },
        { runId: "y", by: "parent" },
      ] as const;
      await commitDone(store, sampleCommit(epoch, [item.seq], { deliveries, speeches }));
      const prune = { step: "prune", olderThanMs: 0, runsOlderThanMs: 0, limit: 99 } as const;
      await commitDone(store, prune);
      assert.deepEqual(await listRunIds(store), ["x", "y"]);
      await commitDone(store, { step: "settle", id: "d", attempt: 1, outcome: { state: "sent", platformId: "p" } });
      await commitDone(store, prune);
      assert.deepEqual(await listRunIds(store), []);
    },
  },
];

async function listRunIds(store: Store): Promise<readonly string[]> {
  return (await store.read.runs({ limit: 99 })).map(({ runId }) => runId);
}
