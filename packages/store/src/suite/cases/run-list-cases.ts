import assert from "node:assert/strict";
import type { StoreReads } from "../../store.ts";
import { acceptRun, endRuns, reserveRun, startParent } from "../run-script.ts";
import { childKey, sampleChild, sampleCompletion, sampleEnd, sampleQuietEnd, sampleRun } from "../sample-run.ts";
import { sampleCommand, sampleItem, sampleLane, sampleMessage } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { claimLane, receiveAll } from "../store-script.ts";

type RunQuery = Parameters<StoreReads["runs"]>[0];

/** Run "r" of the sample lane with "z" and "a" below; "y" of the sample lane beside it. */
async function openFamily(harness: Parameters<StoreCase["run"]>[0]) {
  const store = await harness.open();
  const { parent } = await startParent(store);
  const [z, a] = [sampleChild("z", parent), sampleChild("a", parent)];
  await acceptRun(store, z);
  await acceptRun(store, a);
  await reserveRun(store, sampleRun("y", { rootSessionKey: "another root" }));
  const list = async (query: Partial<RunQuery>) => {
    const rows = await store.read.runs({ limit: 9, ...query });
    return rows.map(({ runId }) => runId).join(" ");
  };
  return { store, list, parent, z, a };
}

export const runListCases: readonly StoreCase[] = [
  {
    name: "runs: in the order in which they were made; all that is given must hold",
    async run(harness) {
      const { store, list, z } = await openFamily(harness);
      assert.equal(await list({}), "r z a y");
      assert.equal(await list({ requesterSessionKey: sampleLane }), "r y");
      assert.equal(await list({ requesterSessionKey: childKey("r") }), "z a");
      assert.equal(await list({ childSessionKey: childKey("a") }), "a");
      assert.equal(await list({ rootSessionKey: sampleLane }), "r z a");
      assert.equal(await list({ parentRunId: "r" }), "z a");
      assert.equal(await list({ states: ["running", "reserved"] }), "r y");
      assert.equal(await list({ states: ["accepted"], rootSessionKey: sampleLane, parentRunId: "r" }), "z a");
      assert.equal(await list({ states: ["accepted"], requesterSessionKey: sampleLane }), "");
      assert.equal(await list({ states: [] }), "");
      await endRuns(store, sampleEnd(z));
      assert.equal(await list({ toldSessionKey: childKey("r") }), "z");
      assert.equal(await list({ parentRunId: "r", states: ["ended"] }), "z");
      assert.equal(await list({}), "r z a y");
    },
  },
  {
    name: "runs: pages after one, or the newest before one; an unknown one has no page",
    async run(harness) {
      const { list } = await openFamily(harness);
      assert.equal(await list({ limit: 2 }), "r z");
      assert.equal(await list({ limit: 2, afterRunId: "z" }), "a y");
      assert.equal(await list({ limit: 2, newest: true }), "a y");
      assert.equal(await list({ limit: 2, newest: true, afterRunId: "a" }), "r z");
      assert.equal(await list({ limit: 1, newest: true, afterRunId: "a" }), "z");
      assert.equal(await list({ requesterSessionKey: sampleLane, afterRunId: "z" }), "y");
      assert.equal(await list({ afterRunId: "unknown" }), "");
      assert.equal(await list({ afterRunId: "unknown", newest: true }), "");
    },
  },
  {
    name: "runs: unsettled ones have ended and nobody has told of them",
    async run(harness) {
      const { store, list, z, a } = await openFamily(harness);
      assert.equal(await list({ unsettled: true }), "");
      await endRuns(store, sampleEnd(z), sampleQuietEnd(a));
      const y = sampleRun("x");
      await acceptRun(store, y);
      await endRuns(store, sampleEnd(y));
      assert.equal(await list({ unsettled: true }), "z x");
      assert.equal(await list({ unsettled: true, toldSessionKey: sampleLane }), "x");
      await store.commit({ step: "announce_run", runId: "x", deliveries: [] });
      assert.equal(await list({ unsettled: true }), "z");
      assert.equal(await list({ unsettled: true, limit: 1, afterRunId: "z" }), "");
    },
  },
  {
    name: "runs: how many of a session and of a tree have not ended",
    async run(harness) {
      const { store, parent, z } = await openFamily(harness);
      const count = (requesterSessionKey: string, rootSessionKey: string) =>
        store.read.unfinishedRuns({ requesterSessionKey, rootSessionKey });
      assert.deepEqual(await count(sampleLane, sampleLane), { ofRequester: 2, ofTree: 3 });
      assert.deepEqual(await count(parent.childSessionKey, "another root"), { ofRequester: 2, ofTree: 1 });
      await endRuns(store, sampleEnd(z));
      await store.commit({ step: "undo_run", runId: "y" });
      assert.deepEqual(await count(parent.childSessionKey, sampleLane), { ofRequester: 1, ofTree: 2 });
      assert.deepEqual(await count(sampleLane, "another root"), { ofRequester: 1, ofTree: 0 });
    },
  },
  {
    name: "runs: what was never written is not there",
    async run(harness) {
      const store = await harness.open();
      assert.equal(await store.read.run("r"), undefined);
      assert.equal(await store.read.runByDedupe("call r"), undefined);
      assert.equal(await store.read.itemByDedupe("completion|r"), undefined);
      assert.deepEqual(await store.read.runs({ limit: 9 }), []);
      assert.deepEqual(await store.read.timers({ limit: 9 }), []);
      assert.deepEqual(await store.read.bindings({ sessionKey: sampleLane }), []);
      assert.deepEqual(await store.read.openItems({ lane: sampleLane, limit: 9 }), []);
    },
  },
  {
    name: "open items: what waits, runs or is held in a lane, by seq, and a page of some kinds",
    async run(harness) {
      const { store, parent, z } = await openFamily(harness);
      await endRuns(store, sampleEnd(z));
      const lane = parent.childSessionKey;
      await receiveAll(store, [
        sampleMessage("m", { lane }),
        sampleCommand("/c", { lane }),
        sampleMessage("full", { lane, laneCap: 0 }),
        sampleMessage("elsewhere"),
      ]);
      const list = async (query: Partial<Parameters<StoreReads["openItems"]>[0]>) => {
        const rows = await store.read.openItems({ lane, limit: 9, ...query });
        return rows.map(({ kind, state }) => `${kind} ${state}`);
      };
      const all = ["nested active", "completion held", "message waiting", "command waiting"];
      assert.deepEqual(await list({}), all);
      assert.deepEqual(await list({ limit: 2 }), all.slice(0, 2));
      assert.deepEqual(await list({ kinds: ["command", "completion"] }), [all[1], all[3]]);
      assert.deepEqual(await list({ kinds: ["completion", "message"], limit: 1 }), [all[1]]);
    },
  },
  {
    name: "items by their dedupe: whatever became of them",
    async run(harness) {
      const { store, z } = await openFamily(harness);
      const task = await store.read.itemByDedupe("dedupe task of z");
      assert.deepEqual([task?.lane, task?.state], [childKey("z"), "waiting"]);
      await claimLane(store, childKey("z"), "c");
      assert.equal((await store.read.itemByDedupe("dedupe task of z"))?.state, "active");
      await endRuns(store, sampleEnd(z));
      assert.equal((await store.read.itemByDedupe(sampleCompletion(z).dedupe))?.state, "held");
      await receiveAll(store, [
        sampleMessage("no", { lane: "", refused: "no" }),
        sampleMessage("full", { laneCap: 0 }),
      ]);
      for (const [id, lane] of [
        ["no", ""],
        ["full", sampleLane],
      ] as const) {
        const refused = await store.read.itemByDedupe(sampleItem(id).dedupe);
        assert.deepEqual([refused?.state, refused?.lane], ["refused", lane]);
      }
    },
  },
];
