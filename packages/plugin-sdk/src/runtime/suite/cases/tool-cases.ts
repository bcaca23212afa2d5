import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { assertOneEnd, inTime, listToolEvents, openStage, readRun, runTurn, suiteTools } from "../case-stage.ts";
import type { RuntimeCase } from "../runtime-case.ts";
import { readAll, TurnDesk, textOf } from "../turn-desk.ts";

/** Of the event loop: a program that goes on after its end would call within them. */
const SOME_ROUNDS = 20;

export const toolCases: readonly RuntimeCase[] = [
  {
    name: "tools: each start has one end, and calls are numbered from 0",
    needs: "calls",
    async run(harness) {
      const stage = await openStage(harness);
      const events = await runTurn(stage, "calls");
      assert.deepEqual(listToolEvents(events), ["tool_start 0", "tool_end 0", "tool_start 1", "tool_end 1"]);
      assert.deepEqual(
        stage.desk.ran.map(({ ordinal, name }) => `${ordinal} ${name}`),
        ["0 list_files", "1 read_file"],
      );
      assertOneEnd(events, "done");
    },
  },
  {
    name: "tools: a call that an earlier attempt committed is not run again, and the answer is the same",
    needs: "calls",
    async run(harness) {
      const desk = new TurnDesk();
      const first = await runTurn(await openStage(harness, desk), "calls");
      desk.committed.length = 1;
      desk.ran.length = 0;
      const { session, prepare } = await openStage(harness, desk);
      const { text } = await prepare("calls");
      const second = await readAll(session.run(desk.turn(text, suiteTools, 2)));
      assert.deepEqual(
        desk.ran.map(({ ordinal, name }) => `${ordinal} ${name}`),
        ["1 read_file"],
      );
      assert.equal(textOf(second), textOf(first));
      assertOneEnd(second, "done");
    },
  },
  {
    name: "tools: a call that is open when the turn is stopped ends before it",
    needs: "calls",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const begun = Promise.withResolvers<void>();
      const never = new Promise<never>(() => undefined);
      const list_files = () => {
        begun.resolve();
        return never;
      };
      const { text } = await prepare("calls");
      const run = readRun(session.run(desk.turn(text, { list_files })));
      await inTime(begun.promise, "the tool is called");
      await inTime(run.handle.abort("/stop"), "the abort settles");
      const events = await run.events;
      assert.deepEqual(listToolEvents(events), ["tool_start 0", "tool_end 0"]);
      assertOneEnd(events, "stopped");
    },
  },
  {
    name: "tools: a turn that has lost its lane ends, and calls nothing more",
    needs: "calls",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("calls");
      let calls = 0;
      const callTool = () => {
        calls += 1;
        return Promise.reject(new Error("lane lost"));
      };
      const run = readRun(session.run({ ...desk.turn(text), callTool }));
      const events = await inTime(run.events, "the turn ends");
      assert.deepEqual(listToolEvents(events), ["tool_start 0", "tool_end 0"]);
      assertOneEnd(events, "stopped");
      assert.equal(calls, 1);
    },
  },
  {
    name: "tools: none is called after the end",
    needs: "calls",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("calls");
      const run = session.run(desk.turn(text, suiteTools));
      for await (const event of run.events) if (event.type === "tool_end") break;
      await inTime(run.abort("/stop"), "the abort settles");
      desk.close();
      for (let round = 0; round < SOME_ROUNDS; round++) await setImmediate();
      assert.deepEqual(desk.late, []);
    },
  },
];
