import assert from "node:assert/strict";
import { assertOneEnd, beginTurn, inTime, openStage, runTurn } from "../case-stage.ts";
import type { RuntimeCase } from "../runtime-case.ts";
import { TurnDesk } from "../turn-desk.ts";

export const sessionCases: readonly RuntimeCase[] = [
  {
    name: "session: a second run is refused while one is live, and the live one goes on",
    needs: "lasts",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("lasts");
      const run = session.run(desk.turn(text));
      assert.throws(() => session.run(desk.turn(text)), /another turn is live/);
      await inTime(run.abort("over"), "the abort settles");
    },
  },
  {
    name: "session: takes turn after turn",
    needs: "answers",
    async run(harness) {
      const stage = await openStage(harness);
      assertOneEnd(await runTurn(stage, "answers"), "done");
      assertOneEnd(await runTurn(stage, "answers"), "done");
      await inTime(stage.session.close(), "the session closes");
    },
  },
  {
    name: "session: close brings it to rest, and runs are refused from then on",
    needs: "lasts",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("lasts");
      const run = session.run(desk.turn(text));
      await inTime(session.close(), "the session closes");
      const events = [];
      for await (const event of run.events) events.push(event);
      assertOneEnd(events, "stopped");
      assert.throws(() => session.run(desk.turn(text)), /closed/);
    },
  },
  {
    name: "session: close stops a turn in its middle",
    needs: "lasts",
    async run(harness) {
      const stage = await openStage(harness);
      const run = await beginTurn(stage, "lasts");
      const closing = stage.session.close();
      await inTime(closing, "the session closes");
      const events = await run.events;
      assert.equal(events.filter(({ type }) => type === "end").length, 1);
    },
  },
  {
    name: "session: the end of a conversation, also of one that nobody knows, leaves the others as they are",
    needs: "answers",
    async run(harness) {
      const { runtime } = harness;
      const stage = await openStage(harness);
      assertOneEnd(await runTurn(stage, "answers"), "done");
      runtime.endSession?.({ sessionKey: "agent:main:other", sessionId: "unknown" }, { log: stage.desk.log });
      assertOneEnd(await runTurn(stage, "answers"), "done");
      await inTime(stage.session.close(), "the session closes");
      const own = { sessionKey: "agent:main:grove:dm:1", sessionId: "5f0c0000-0000-4000-8000-000000000001" };
      runtime.endSession?.(own, { log: stage.desk.log });
      assertOneEnd(await runTurn(await openStage(harness, stage.desk), "answers"), "done");
    },
  },
  {
    name: "session: does not open under a signal that is aborted",
    needs: "answers",
    async run({ runtime, clock }) {
      const desk = new TurnDesk();
      const opening = runtime.open(
        { sessionKey: "agent:main:main", sessionId: "s", agentId: "main", workspaceDir: "/w", tools: [] },
        { clock: clock ?? desk.clock, log: desk.log },
        AbortSignal.abort(new Error("shutting down")),
      );
      await assert.rejects(opening, /shutting down/);
    },
  },
];
