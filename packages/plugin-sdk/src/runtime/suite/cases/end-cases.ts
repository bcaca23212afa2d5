import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { assertOneEnd, inTime, openStage, readRun, runTurn } from "../case-stage.ts";
import type { RuntimeCase } from "../runtime-case.ts";
import { textOf } from "../turn-desk.ts";

/** Of the event loop: what is at hand is said within them. */
const SOME_ROUNDS = 20;

export const endCases: readonly RuntimeCase[] = [
  {
    name: "end: a turn ends exactly once, with nothing after it, and its text comes in order",
    needs: "answers",
    async run(harness) {
      const stage = await openStage(harness);
      const { text, answer } = await stage.prepare("answers");
      const events = await inTime(readRun(stage.session.run(stage.desk.turn(text))).events, "the turn ends");
      assertOneEnd(events, "done");
      assert.notEqual(textOf(events), "");
      if (answer !== undefined) assert.equal(textOf(events), answer);
    },
  },
  {
    name: "end: a reader who comes late hears the same, in the same order",
    needs: "answers",
    async run(harness) {
      const stage = await openStage(harness);
      const { text, answer } = await stage.prepare("answers");
      const handle = stage.session.run(stage.desk.turn(text));
      for (let round = 0; round < SOME_ROUNDS; round++) await setImmediate();
      const events = await inTime(readRun(handle).events, "the turn ends");
      assertOneEnd(events, "done");
      if (answer !== undefined) assert.equal(textOf(events), answer);
    },
  },
  {
    name: "end: usage is told where somebody measured it, and only there",
    needs: "answers",
    async run(harness) {
      const end = (await runTurn(await openStage(harness), "answers")).at(-1);
      assert(end?.type === "end");
      if (!harness.runtime.capabilities.usage) assert.equal("usage" in end, false);
      const counts = Object.values(end.usage ?? {});
      assert(counts.every((count) => count === undefined || count >= 0));
    },
  },
  {
    name: "end: a reader who leaves early keeps the session busy for nobody",
    needs: "answers",
    async run(harness) {
      const stage = await openStage(harness);
      const { text } = await stage.prepare("answers");
      const run = stage.session.run(stage.desk.turn(text));
      for await (const _first of run.events) break;
      await inTime(run.abort("the reader left"), "the abort settles");
      assertOneEnd(await runTurn(stage, "answers"), "done");
    },
  },
  {
    name: "end: a failure that stays one is an end with a sentence, and the next turn is answered",
    needs: "fails",
    async run(harness) {
      const stage = await openStage(harness);
      const events = await runTurn(stage, "fails");
      assertOneEnd(events, "error");
      const end = events.at(-1);
      assert(end?.type === "end" && end.error !== undefined);
      assert.equal(end.error.isRetryable, false);
      assert.notEqual(end.error.message.trim(), "");
      assertOneEnd(await runTurn(stage, "answers"), "done");
    },
  },
  {
    name: "end: what went away while it answered is a retryable error, and a session opened next answers",
    needs: "dies",
    async run(harness) {
      const stage = await openStage(harness);
      const events = await runTurn(stage, "dies");
      assertOneEnd(events, "error");
      const end = events.at(-1);
      assert(end?.type === "end");
      assert.equal(end.error?.isRetryable, true);
      await inTime(stage.session.close(), "the session closes");
      assertOneEnd(await runTurn(await openStage(harness), "answers"), "done");
    },
  },
];
