import assert from "node:assert/strict";
import type { BindStep, NewBinding } from "../../binding-steps.ts";
import { acceptRun, armTimer, commitDone, endRuns, listTimerIds } from "../run-script.ts";
import { childKey, sampleBinding, sampleQuietEnd, sampleRun, sampleTimer } from "../sample-run.ts";
import { sampleAddress, sampleAudit, sampleDelivery, sampleItem, sampleLane } from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, startTurn, writeTranscript } from "../store-script.ts";

const child = childKey("a");
const first = sampleBinding("one", child);
const second = sampleBinding("two", child);
const already = { status: "already" } as const;
const noSession = { status: "refused", reason: "no_session" } as const;

type More = Partial<Pick<BindStep, "address" | "timers" | "endTimers" | "timer">>;

function bind(binding: NewBinding, more: More = {}): BindStep {
  return { step: "bind", address: first.address, binding, timers: [], endTimers: [], ...more };
}

function unbind(bindingId: string, more: More = {}): BindStep {
  return { step: "bind", address: first.address, binding: null, bindingId, timers: [], endTimers: [], ...more };
}

export const bindingCases: readonly StoreCase[] = [
  {
    name: "end_runs: an end that unbinds takes the child's threads, and no conversation that was turned to it",
    async run(harness) {
      const store = await harness.open();
      const run = sampleRun("a");
      await acceptRun(store, run, { binding: sampleBinding("thread", childKey("a")) });
      const focus = sampleBinding("focus", childKey("a"), { address: `${sampleAddress}/focus`, kind: "focus" });
      await commitDone(store, { step: "bind", address: focus.address, binding: focus, timers: [], endTimers: [] });
      const { revision } = await store.read.routes();
      await endRuns(store, sampleQuietEnd(run, { unbinds: true }));
      const routes = await store.read.routes();
      assert.deepEqual([routes.revision, routes.bindings.map(({ id }) => id)], [revision + 1, ["focus"]]);
    },
  },
  {
    name: "bind: one per address, the newest; each change makes the route revision grow by one",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, bind(first, { timers: [sampleTimer("idle one")] }));
      const more = sampleBinding("other", child, {
        address: "test|default|other",
        idleMs: 5,
        maxAgeMs: 7,
        kind: "focus",
      });
      await commitDone(store, bind(more, { address: more.address }));
      const { revision, bindings } = await store.read.routes();
      assert.deepEqual(
        bindings.map(({ createdAtMs: _, ...rest }) => rest),
        [first, more],
      );
      await commitDone(store, bind(second, { timers: [sampleTimer("idle two")], endTimers: ["idle one"] }));
      const after = await store.read.routes();
      assert.deepEqual([after.revision, after.bindings.map(({ id }) => id)], [revision + 1, ["other", "two"]]);
      assert.deepEqual(
        (await store.read.bindings({ sessionKey: child })).map(({ id }) => id),
        ["other", "two"],
      );
      assert.deepEqual(await store.read.bindings({ sessionKey: sampleLane }), []);
      assert.deepEqual(await listTimerIds(store), ["idle two"]);
      await commitDone(store, unbind("two", { endTimers: ["idle two"] }));
      assert.deepEqual(
        (await store.read.routes()).bindings.map(({ id }) => id),
        ["other"],
      );
      assert.deepEqual(await listTimerIds(store), []);
    },
  },
  {
    name: "bind: what stands so is already, and nothing of it is written",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, unbind("one", { timers: [sampleTimer("t")] }), already);
      await writeTranscript(store, child);
      await commitDone(store, bind(first));
      await assertChangesNothing(store, bind(first, { timers: [sampleTimer("t")] }), already);
    },
  },
  {
    name: "bind: a removal names its binding, and what was bound there in between stays",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, bind(first, { timers: [sampleTimer("idle one")] }));
      await commitDone(store, bind(second, { timers: [sampleTimer("idle two")], endTimers: ["idle one"] }));
      const late = unbind("one", { timers: [sampleTimer("t")], endTimers: ["idle two"] });
      await assertChangesNothing(store, late, already);
      const fired = await armTimer(store, sampleTimer("idle one"));
      assert.deepEqual(await store.commit({ ...late, timer: fired }), already);
      assert.deepEqual(await listTimerIds(store), ["idle two"]);
      assert.deepEqual(
        (await store.read.routes()).bindings.map(({ id }) => id),
        ["two"],
      );
      await commitDone(store, unbind("two"));
      assert.deepEqual((await store.read.routes()).bindings, []);
    },
  },
  {
    name: "bind: the same one with other times has these from then on, and keeps its age and its place",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, bind(first, { timers: [sampleTimer("idle one")] }));
      const more = sampleBinding("other", child, { address: "test|default|other" });
      await commitDone(store, bind(more, { address: more.address }));
      const before = await store.read.routes();
      await harness.advance?.(1);
      const changed = { ...first, idleMs: 50, maxAgeMs: 90 };
      await commitDone(store, bind(changed, { timers: [sampleTimer("age one")], endTimers: ["idle one"] }));
      const { revision, bindings } = await store.read.routes();
      assert.equal(revision, before.revision + 1);
      assert.deepEqual(bindings, [{ ...changed, createdAtMs: before.bindings[0]?.createdAtMs }, before.bindings[1]]);
      assert.deepEqual(await listTimerIds(store), ["age one"]);
      await assertChangesNothing(store, bind(changed, { timers: [sampleTimer("t")] }), already);
      await commitDone(store, bind(first));
      assert.deepEqual((await store.read.routes()).bindings, before.bindings);
    },
  },
  {
    name: "bind: the timer that fired goes with it, also where it stands so; one that was armed anew stops it",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, child);
      await commitDone(store, bind(first));
      const stale = await armTimer(store, sampleTimer("idle"));
      await harness.advance?.(1);
      const timer = await armTimer(store, sampleTimer("idle"));
      await assertChangesNothing(store, unbind("one", { timer: stale }), already);
      await commitDone(store, unbind("one", { timer }));
      assert.deepEqual(await listTimerIds(store), []);
      const late = await armTimer(store, sampleTimer("idle"));
      assert.deepEqual(await store.commit(unbind("one", { timer: late })), already);
      assert.deepEqual(await listTimerIds(store), []);
    },
  },
  {
    name: "bind: a child without a session, or with an archived one, is refused",
    async run(harness) {
      const store = await harness.open();
      await assertChangesNothing(store, bind(first), noSession);
      await writeTranscript(store, child);
      await commitDone(store, { step: "archive_session", key: child, audit: sampleAudit });
      await assertChangesNothing(store, bind(first), noSession);
    },
  },
  {
    name: "set_timers: what fired goes unless it was armed anew; an id that is armed again takes the earlier one's place",
    needs: "advance",
    async run(harness) {
      const store = await harness.open();
      const fired = await armTimer(store, sampleTimer("t", { dueInMs: 10 }));
      await commitDone(store, { step: "set_timers", arm: [sampleTimer("u", { dueInMs: 5 })], end: [] });
      await harness.advance?.(1);
      await commitDone(store, {
        step: "set_timers",
        arm: [sampleTimer("t", { dueInMs: 10, subject: "new" })],
        end: [],
      });
      await commitDone(store, { step: "set_timers", fired, arm: [], end: [] });
      assert.deepEqual(await listTimerIds(store), ["u", "t"]);
      const timer = (await store.read.timers({ limit: 9 }))[1];
      assert.deepEqual([timer?.subject, timer?.kind, timer?.dueAtMs], ["new", "archive", fired.dueAtMs + 1]);
      const standing = { id: "t", dueAtMs: fired.dueAtMs + 1 };
      await commitDone(store, { step: "set_timers", fired: standing, arm: [], end: ["unknown"] });
      assert.deepEqual(await listTimerIds(store), ["u"]);
      await commitDone(store, { step: "set_timers", arm: [sampleTimer("u"), sampleTimer("v")], end: ["u"] });
      assert.deepEqual(await listTimerIds(store), ["u", "v"]);
    },
  },
  {
    name: "set_timers: what it says is written with it, once",
    async run(harness) {
      const store = await harness.open();
      const fired = await armTimer(store, sampleTimer("t"));
      const step = { step: "set_timers", fired, arm: [], end: [], deliveries: [sampleDelivery("said")] } as const;
      await commitDone(store, step);
      await commitDone(store, step);
      assert.deepEqual(await listTimerIds(store), []);
      const rows = await store.read.deliveries({ limit: 9 });
      assert.deepEqual(
        rows.map(({ id, state }) => [id, state]),
        [["said", "pending"]],
      );
    },
  },
  {
    name: "timers: by the time they are due, then by id; a page, and those due by a time",
    async run(harness) {
      const store = await harness.open();
      const arm = [
        sampleTimer("late", { dueInMs: 9_000_000 }),
        sampleTimer("b", { dueInMs: 10 }),
        sampleTimer("a", { dueInMs: 10 }),
      ];
      await commitDone(store, { step: "set_timers", arm, end: [] });
      assert.deepEqual(await listTimerIds(store), ["a", "b", "late"]);
      assert.deepEqual(
        (await store.read.timers({ limit: 1 })).map(({ id }) => id),
        ["a"],
      );
      const dueAtMs = (await store.read.timers({ limit: 9 }))[0]?.dueAtMs ?? 0;
      const due = async (dueBeforeMs: number) =>
        (await store.read.timers({ dueBeforeMs, limit: 9 })).map(({ id }) => id);
      assert.deepEqual([await due(dueAtMs - 1), await due(dueAtMs)], [[], ["a", "b"]]);
    },
  },
  {
    name: "enqueue: an input from inside waits in its lane; a repeat is already, whatever became of it",
    async run(harness) {
      const store = await harness.open();
      const step = { step: "enqueue", item: sampleItem("i", { kind: "nested", runId: "r", wake: "append" }) } as const;
      await assertChangesNothing(store, step, noSession);
      await writeTranscript(store, sampleLane);
      const result = await store.commit(step);
      const item = await store.read.itemByDedupe(step.item.dedupe);
      assert.deepEqual(result, { status: "done", seq: item?.seq });
      assert.deepEqual([item?.state, item?.wake, item?.runId, item?.kind], ["waiting", "append", "r", "nested"]);
      const { item: claimed } = await claimLane(store, sampleLane, "c");
      assert.deepEqual([claimed.seq, claimed.wake, claimed.runId], [item?.seq, "append", "r"]);
      await assertChangesNothing(store, step, { status: "already", seq: claimed.seq });
    },
  },
  {
    name: "enqueue: refused where the session is archived",
    async run(harness) {
      const store = await harness.open();
      await writeTranscript(store, sampleLane);
      await commitDone(store, { step: "archive_session", key: sampleLane, audit: sampleAudit });
      await assertChangesNothing(store, { step: "enqueue", item: sampleItem("i") }, noSession);
    },
  },
  {
    name: "enqueue for a turn: fenced unless its lane runs at that epoch; already where it was written",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      const lane = childKey("a");
      await writeTranscript(store, lane);
      const askedBy = { lane: sampleLane, epoch };
      const step = { step: "enqueue", item: sampleItem("i", { lane, kind: "nested" }), askedBy } as const;
      for (const other of [
        { ...askedBy, epoch: epoch - 1 },
        { ...askedBy, epoch: epoch + 1 },
        { ...askedBy, lane },
      ])
        await assertChangesNothing(store, { ...step, askedBy: other }, { status: "fenced" });
      await commitDone(store, { step: "release", lane: sampleLane, epoch, giveBackAttempt: false });
      await assertChangesNothing(store, step, { status: "fenced" });
      await claimLane(store, sampleLane, "the next claim");
      await assertChangesNothing(store, step, { status: "fenced" });
      await commitDone(store, { ...step, askedBy: { ...askedBy, epoch: epoch + 1 } });
      const seq = (await store.read.itemByDedupe(step.item.dedupe))?.seq ?? 0;
      await assertChangesNothing(store, step, { status: "already", seq });
    },
  },
];
