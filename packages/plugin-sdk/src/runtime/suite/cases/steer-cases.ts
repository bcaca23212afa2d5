import assert from "node:assert/strict";
import { assertOneEnd, inTime, openStage, readRun, suiteTools } from "../case-stage.ts";
import type { RuntimeCase } from "../runtime-case.ts";
import { readAll, textOf } from "../turn-desk.ts";

const FASTER = { kind: "message", text: "steer-faster" } as const;
const SLOWER = { kind: "message", text: "steer-slower" } as const;

export const steerCases: readonly RuntimeCase[] = [
  {
    name: "steer: a runtime that cannot returns every message, at once",
    needs: "lasts",
    isFor: ({ steer }) => steer === "none",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("lasts");
      const run = session.run(desk.turn(text));
      assert.equal(await inTime(run.steer(FASTER), "the message is settled"), "returned");
      await inTime(run.abort("over"), "the abort settles");
      assert.equal(await run.steer(FASTER), "returned");
    },
  },
  {
    name: "steer: a message that waits when its turn is stopped is settled by then, and one that comes later is returned",
    needs: "lasts",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text, reached } = await prepare("lasts");
      const run = readRun(session.run(desk.turn(text)));
      await reached;
      const receipts = [run.handle.steer(FASTER), run.handle.steer(SLOWER)];
      await inTime(run.handle.abort("/stop"), "the abort settles");
      const settled = await inTime(Promise.all(receipts), "both messages are settled");
      assert(settled.every((receipt) => receipt === "delivered" || receipt === "returned"));
      assert.equal((await run.events).filter(({ type }) => type === "end").length, 1);
      assert.equal(await inTime(run.handle.steer(FASTER), "a late message is settled"), "returned");
    },
  },
  {
    name: "steer: a message after the end is returned",
    needs: "answers",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text } = await prepare("answers");
      const run = session.run(desk.turn(text));
      await readAll(run);
      assert.equal(await inTime(run.steer(FASTER), "the message is settled"), "returned");
    },
  },
  {
    name: "steer: what is delivered is heard by the agent, once; what is returned never",
    needs: "steers",
    isFor: ({ steer }) => steer === "receipt",
    async run(harness) {
      const { desk, session, prepare } = await openStage(harness);
      const { text, reached, release } = await prepare("steers");
      const run = readRun(session.run(desk.turn(text, suiteTools)));
      await inTime(reached ?? Promise.resolve(), "the turn waits");
      const receipts = [run.handle.steer(FASTER), run.handle.steer(SLOWER)];
      release?.();
      const [faster, slower] = await inTime(Promise.all(receipts), "both messages are settled");
      const events = await inTime(run.events, "the turn ends");
      assertOneEnd(events, "done");
      assert.equal(faster, "delivered");
      const said = textOf(events);
      assert.equal(said.split(FASTER.text).length - 1, 1);
      assert.equal(said.split(SLOWER.text).length - 1, slower === "delivered" ? 1 : 0);
    },
  },
];
