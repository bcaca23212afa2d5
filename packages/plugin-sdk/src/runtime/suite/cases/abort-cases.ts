import assert from "node:assert/strict";
import { assertOneEnd, beginTurn, inTime, openStage, readRun, runTurn } from "../case-stage.ts";
import type { RuntimeCase } from "../runtime-case.ts";
import { readAll } from "../turn-desk.ts";

export const abortCases: readonly RuntimeCase[] = [
  {
    name: "abort: settles in time, again and again, ends as stopped, and the session takes the next turn",
    needs: "lasts",
    async run(harness) {
      const stage = await openStage(harness);
      const { text, reached } = await stage.prepare("lasts");
      const run = stage.session.run(stage.desk.turn(text));
      // Not read before: a program that nobody reads must hear the stop, too.
      const isRead = reached !== undefined;
      const events = isRead ? readAll(run) : undefined;
      await reached;
      await inTime(run.abort("/stop"), "the abort settles");
      await inTime(run.abort("/stop again"), "the second abort settles");
      assertOneEnd(await (events ?? readAll(run)), "stopped");
      assert.equal(stage.desk.clock.pending, 0, "no timer is left");
      assertOneEnd(await runTurn(stage, "answers"), "done");
    },
  },
  {
    name: "abort: before the first step, the turn ends as stopped and calls nothing",
    needs: "lasts",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("lasts");
      const run = readRun(session.run(desk.turn(text)));
      await inTime(run.handle.abort("at once"), "the abort settles");
      assertOneEnd(await run.events, "stopped");
      assert.deepEqual(desk.ran, []);
    },
  },
  {
    name: "abort: a late one changes no end that was told",
    needs: "answers",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("answers");
      const run = session.run(desk.turn(text));
      const events = await readAll(run);
      await inTime(run.abort("too late"), "the abort settles");
      assertOneEnd(events, "done");
    },
  },
  {
    name: "abort: what was spent until then is told with the end",
    needs: "spends",
    async run(harness) {
      const run = await beginTurn(await openStage(harness), "spends");
      await inTime(run.handle.abort("/stop"), "the abort settles");
      const events = await run.events;
      assertOneEnd(events, "stopped");
      const end = events.at(-1);
      assert(end?.type === "end");
      assert((end.usage?.inputTokens ?? 0) + (end.usage?.outputTokens ?? 0) > 0, "the tokens spent are told");
    },
  },
];
