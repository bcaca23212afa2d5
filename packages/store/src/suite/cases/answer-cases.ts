import assert from "node:assert/strict";
import type { CommandStep } from "../../steps.ts";
import type { AnswerEffect, AnswerStep } from "../../turn-steps.ts";
import { armTimer, listTimerIds } from "../run-script.ts";
import {
  sampleCommand,
  sampleCommit,
  sampleDelivery,
  sampleLane,
  sampleMessage,
  sampleToolResult,
  sealedSample,
} from "../sample-step.ts";
import type { StoreCase } from "../store-case.ts";
import { assertChangesNothing, claimLane, getDelivery, receiveOne, startTurn } from "../store-script.ts";

const sessionId = `id of ${sampleLane}`;
const conflict = { status: "refused", reason: "conflict" } as const;
const timer = { id: "question|q", kind: "question", subject: "q.0", dueInMs: 60_000 };

function answer(itemSeq: number, id = "a"): AnswerEffect {
  return { itemSeq, sessionId, entry: { id, body: JSON.stringify({ id, role: "assistant" }) }, arm: [] };
}

function answerStep(itemSeq: number, more: Partial<AnswerStep> = {}): AnswerStep {
  return { step: "answer", ...answer(itemSeq), ...more };
}

function answerCommand(seq: number, effect: AnswerEffect): CommandStep {
  return { step: "command", lane: sampleLane, seq, items: [], deliveries: [], answer: effect };
}

export const answerCases: readonly StoreCase[] = [
  {
    name: "command with stop: the messages that the turn had taken along are done with it, commands and others wait on",
    async run(harness) {
      const store = await harness.open();
      const { epoch } = await startTurn(store);
      const taken = await receiveOne(store, sampleMessage("m2"));
      const seq = await receiveOne(store, sampleCommand("/stop"));
      const other = await receiveOne(store, sampleCommand("/status"));
      const left = await receiveOne(store, sampleMessage("m3"));
      const stop = { epoch, sessionId, entries: [], taken: [taken, other, left + 99] };
      const step = { step: "command", lane: sampleLane, seq, items: [], deliveries: [], stop } as const;
      assert.deepEqual(await store.commit(step), { status: "done", items: [], waiting: 1 });
      const open = await store.read.openItems({ lane: sampleLane, limit: 9 });
      assert.deepEqual(
        open.map((item) => item.seq),
        [other, left],
      );
    },
  },
  {
    name: "tool_result with a question: its entry, what asks it and its timer are one step; a fenced one writes none of them",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const asked = { deliveries: [sampleDelivery("q", { kind: "question" })], arm: [timer] };
      const late = { ...sampleToolResult(epoch + 1, item.seq, "q"), ...asked };
      await assertChangesNothing(store, late, { status: "fenced" });
      const step = { ...sampleToolResult(epoch, item.seq, "q"), ...asked };
      assert.deepEqual(await store.commit(step), { status: "done" });
      assert.equal((await getDelivery(store, "q")).kind, "question");
      assert.deepEqual(await listTimerIds(store), ["question|q"]);
      await assertChangesNothing(store, step, { status: "already" });
    },
  },
  {
    name: "answer: an entry of the item that runs or waits; the first one holds, and ends its timer",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const fired = await armTimer(store, timer);
      const step = answerStep(item.seq, { timer: fired, arm: [{ ...timer, id: "shown" }] });
      assert.deepEqual(await store.commit(step), { status: "done" });
      assert.deepEqual(await listTimerIds(store), ["shown"]);
      assert.deepEqual(await store.read.entriesOfItem({ itemSeq: item.seq }), [
        { id: "a", sessionId, sessionKey: sampleLane, seq: 1, itemSeq: item.seq, body: sealedSample(1, "a") },
      ]);
      await assertChangesNothing(store, answerStep(item.seq), { status: "already" });
      await store.commit({ step: "release", lane: sampleLane, epoch, giveBackAttempt: true });
      assert.deepEqual(await store.commit({ ...answerStep(item.seq), ...answer(item.seq, "b") }), { status: "done" });
      assert.equal((await claimLane(store, sampleLane, "again")).item.seq, item.seq);
    },
  },
  {
    name: "answer: already where its timer was armed anew; one whose entry stands ends its timer",
    async run(harness) {
      const store = await harness.open();
      const { item } = await startTurn(store);
      const fired = await armTimer(store, timer);
      const stale = { ...fired, dueAtMs: fired.dueAtMs - 1 };
      await assertChangesNothing(store, answerStep(item.seq, { timer: stale }), { status: "already" });
      assert.deepEqual(await store.commit(answerStep(item.seq)), { status: "done" });
      assert.deepEqual(await store.commit(answerStep(item.seq, { timer: fired })), { status: "already" });
      assert.deepEqual(await listTimerIds(store), []);
    },
  },
  {
    name: "answer: refused where the item has ended or never was",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      await store.commit(sampleCommit(epoch, [item.seq]));
      const ended = { status: "refused", reason: "ended" } as const;
      await assertChangesNothing(store, answerStep(item.seq), ended);
      await assertChangesNothing(store, answerStep(item.seq + 99), ended);
    },
  },
  {
    name: "command with an answer: in one step with its own; a conflict where there is one, or nothing asks any more",
    async run(harness) {
      const store = await harness.open();
      const { epoch, item } = await startTurn(store);
      const first = await receiveOne(store, sampleCommand("/answer allow"));
      const second = await receiveOne(store, sampleCommand("/answer deny"));
      const third = await receiveOne(store, sampleCommand("/answer allow, late"));
      const step = answerCommand(first, { ...answer(item.seq), arm: [timer] });
      assert.equal((await store.commit(step)).status, "done");
      assert.deepEqual(await listTimerIds(store), ["question|q"]);
      await assertChangesNothing(store, step, { status: "already" });
      await assertChangesNothing(store, answerCommand(second, answer(item.seq)), conflict);
      assert.equal((await store.commit(sampleCommit(epoch, [item.seq]))).status, "done");
      await assertChangesNothing(store, answerCommand(third, answer(item.seq, "late")), conflict);
      assert.deepEqual(
        (await store.read.entriesOfItem({ itemSeq: item.seq })).map(({ id }) => id),
        ["a"],
      );
    },
  },
];
