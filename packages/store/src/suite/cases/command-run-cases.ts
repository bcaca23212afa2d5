import assert from "node:assert/strict";
import type { CommandStep } from "../../steps.ts";
import {
  acceptRun,
  commitDone,
  completionOf,
  endRuns,
  getItem,
  getRun,
  reserveRun,
  startRun,
  stateOf,
} from "../run-script.ts";
import {
  childKey,
  sampleAccept,
  sampleBinding,
  sampleEnd,
  sampleQuietEnd,
  sampleRun,
  sampleTimer,
} from "../sample-run.ts";
import {
  otherLane,
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleEntries,
  sampleItem,
  sampleLane,
  sampleMessage,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, receiveOne, startTurn, writeTranscript } from "../store-script.ts";

const run = sampleRun("a");
const child = childKey("a");
const conflict = { status: "refused", reason: "conflict" } as const;

function command(seq: number, more: Partial<CommandStep> = {}): CommandStep {
  return { step: "command", lane: sampleLane, seq, items: [], deliveries: [], ...more };
}

export const commandRunCases: readonly StoreCase[] = [
  {
    name: "command that stops a turn about a completion: that is still written down",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      await endRuns(store, sampleEnd(run));
      const { epoch } = await claimLane(store, sampleLane, "woken");
      const seq = await receiveOne(store, sampleCommand("/stop"));
      const stop = { epoch, sessionId: `id of ${sampleLane}`, entries: [] };
      const result = await store.commit(command(seq, { stop }));
      assert.deepEqual(result, { status: "done", items: [], waiting: 1 });
      assert.deepEqual(await completionOf(store, run), ["waiting", "append"]);
      assert.equal((await claimLane(store, sampleLane, "written")).item.attempt, 1);
    },
  },
  {
    name: "command that stops the turn of another lane: that one's items are done and its text is kept",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, otherLane);
      for (const id of ["hangs", "waits"]) await receiveOne(store, sampleMessage(id, { lane: otherLane }));
      const { epoch, item } = await claimLane(store, otherLane, "hangs");
      const own = await startTurn(store);
      const seq = await receiveOne(store, sampleCommand("/kill"));
      const stop = { lane: otherLane, epoch, sessionId: `id of ${otherLane}`, entries: sampleEntries("partial") };
      const early = command(seq, { stop: { ...stop, epoch: epoch - 1 }, deliveries: [sampleDelivery("d")] });
      await assertChangesNothing(store, early, conflict);
      const step = command(seq, { stop, deliveries: [sampleDelivery("d")] });
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 0, wakes: [otherLane] });
      const [entry] = await store.read.entriesOfItem({ itemSeq: item.seq });
      assert.deepEqual([entry?.id, entry?.sessionKey], ["partial", otherLane]);
      assert.deepEqual(await store.read.lane(otherLane), { lane: otherLane, epoch, waiting: 1, active: [] });
      await assertChangesNothing(store, sampleCommit(epoch, [item.seq], { lane: otherLane }), { status: "fenced" });
      await assertChangesNothing(store, step, { status: "already" });
      assert.deepEqual((await store.read.lane(sampleLane)).active, [own.item.seq]);
      const again = await receiveOne(store, sampleCommand("/kill again"));
      await assertChangesNothing(store, command(again, { stop }), conflict);
      assert.equal((await claimLane(store, otherLane, "waits")).epoch, epoch + 1);
    },
  },
  {
    name: "command that spawns: the run is accepted with it, and the child's lane is named",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/spawn"));
      await reserveRun(store, run);
      const step = command(seq, { accept: sampleAccept(run), deliveries: [sampleDelivery("d")] });
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 0, wakes: [child] });
      assert.equal(await stateOf(store, run), "accepted");
      await assertChangesNothing(store, step, { status: "already" });
    },
  },
  {
    name: "command that spawns: what refuses the run refuses the command",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/spawn"));
      const step = command(seq, { accept: sampleAccept(run), deliveries: [sampleDelivery("d")] });
      await assertChangesNothing(store, step, { status: "refused", reason: "not_found" });
      await writeTranscript(store, child);
      await reserveRun(store, run);
      await assertChangesNothing(store, step, { status: "refused", reason: "conflict" });
    },
  },
  {
    name: "command that spawns: a run that was accepted before is left alone",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/spawn"));
      await startRun(store, run);
      const accept = sampleAccept(run, { timers: [sampleTimer("t")], item: sampleItem("other task", { lane: child }) });
      assert.deepEqual(await store.commit(command(seq, { accept })), { status: "done", items: [], waiting: 0 });
      assert.equal(await stateOf(store, run), "running");
      assert.deepEqual(await store.read.timers({ limit: 9 }), []);
      assert.equal(await store.read.itemByDedupe("dedupe other task"), undefined);
    },
  },
  {
    name: "command that ends runs: they end with it; its own lane is not among those to wake",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startRun(store, run);
      const seq = await receiveOne(store, sampleCommand("/kill"));
      const stop = { epoch, sessionId: `id of ${child}`, entries: [] };
      const runs = { ends: [sampleEnd(run, { endedReason: "killed", stop })], closed: [sampleLane] };
      const result = await store.commit(command(seq, { runs }));
      assert.deepEqual(result, { status: "done", items: [], waiting: 1, wakes: [child] });
      assert.equal((await getRun(store, "a")).endedReason, "killed");
      assert.equal((await getItem(store, "completion|a")).lane, sampleLane);
    },
  },
  {
    name: "command that ends runs: what refuses an end refuses the command, also for a run that has ended",
    async run(harness) {
      const store = await harness.open();
      await acceptRun(store, run);
      const seq = await receiveOne(store, sampleCommand("/kill"));
      const conflict = { status: "refused", reason: "conflict" } as const;
      await assertChangesNothing(store, command(seq, { runs: { ends: [], closed: [sampleLane] } }), conflict);
      await endRuns(store, sampleQuietEnd(run));
      await assertChangesNothing(store, command(seq, { runs: { ends: [sampleEnd(run)], closed: [] } }), conflict);
    },
  },
  {
    name: "command that binds: the binding stands with it; a child without a session refuses the command",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/focus"));
      const binding = sampleBinding("f", child, { kind: "focus" });
      const bind = { address: binding.address, binding, timers: [sampleTimer("idle")], endTimers: [] };
      await assertChangesNothing(store, command(seq, { bind }), { status: "refused", reason: "no_session" });
      await writeTranscript(store, child);
      await commitDone(store, command(seq, { bind }));
      assert.deepEqual(
        (await store.read.bindings({ sessionKey: child })).map(({ id, kind }) => [id, kind]),
        [["f", "focus"]],
      );
      const unbind = await receiveOne(store, sampleCommand("/unfocus"));
      await commitDone(
        store,
        command(unbind, { bind: { ...bind, binding: null, bindingId: "f", timers: [], endTimers: ["idle"] } }),
      );
      assert.deepEqual([await store.read.timers({ limit: 9 }), (await store.read.routes()).bindings], [[], []]);
    },
  },
  {
    name: "command that unbinds what another binding has replaced: refused as a conflict",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      const seq = await receiveOne(store, sampleCommand("/unfocus"));
      const binding = sampleBinding("f", child, { kind: "focus" });
      const times = { address: binding.address, timers: [], endTimers: [] };
      await commitDone(store, { step: "bind", ...times, binding });
      const bind = { ...times, binding: null, bindingId: "earlier" };
      await assertChangesNothing(store, command(seq, { bind }), { status: "refused", reason: "conflict" });
      await commitDone(store, command(seq, { bind: { ...bind, bindingId: "f" } }));
      assert.deepEqual((await store.read.routes()).bindings, []);
    },
  },
  {
    name: "command that binds what stands so already: the rest of it is written",
    async run(harness) {
      const store = await harness.open();
      const seq = await receiveOne(store, sampleCommand("/unfocus"));
      const { revision } = await store.read.routes();
      const timers = [sampleTimer("t")];
      const bind = { address: "test|default|nowhere", binding: null, bindingId: "f", timers, endTimers: [] };
      await commitDone(store, command(seq, { bind, deliveries: [sampleDelivery("d")] }));
      assert.equal((await store.read.routes()).revision, revision);
      assert.deepEqual(await store.read.timers({ limit: 9 }), []);
      assert.equal((await store.read.delivery("d"))?.state, "pending");
    },
  },
];
