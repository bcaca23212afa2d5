import type { AgentRuntime, RunEvent } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import {
  call,
  createDemoRuntime,
  createEchoRuntime,
  createGate,
  createScriptedRuntime,
  end,
  say,
  wait,
} from "../src/index.ts";
import { readAll, type TestTool, TurnDesk, textOf } from "./desk/turn-desk.ts";

interface Candidate {
  readonly create: () => AgentRuntime;
  /** A message that is answered with text. */
  readonly text: string;
  /** A message whose turn is still live when its first event (if any) is read. */
  readonly lasting: string;
  /** A message that is answered with the help of tools; absent where the runtime uses none. */
  readonly working?: string;
}

const CANDIDATES: readonly Candidate[] = [
  { create: createEchoRuntime, text: "hello", lasting: "hello" },
  { create: createDemoRuntime, text: "help", lasting: "slow 30", working: "count words in docs" },
  {
    create: () =>
      createScriptedRuntime((turn) => {
        if (turn.input.input[0]?.text === "last") return [...say("one"), wait(createGate()), end()];
        if (turn.input.input[0]?.text === "work") return [call("list_files"), call("read_file"), ...say("worked")];
        return say("an", "swer");
      }),
    text: "answer",
    lasting: "last",
    working: "work",
  },
];

const TOOLS: Record<string, TestTool> = {
  list_files: () => ({ text: "docs/a.md\t11", isError: false }),
  read_file: () => ({ text: "[docs/a.md: bytes 0 to 11 of 11]\nhello world", isError: false }),
};

describe.each(CANDIDATES.map((candidate) => ({ id: candidate.create().id, ...candidate })))(
  "the runtime $id",
  ({ create, text, lasting, working }) => {
    it("ends exactly once, with nothing after it", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const events = await readAll(session.run(desk.turn(text)));
      expect(textOf(events)).not.toBe("");
      expectOneEnd(events, "done");
    });

    it("reports no usage that nobody measured", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const events = await readAll(session.run(desk.turn(text)));
      expect(events.at(-1)).not.toHaveProperty("usage");
    });

    it("settles an abort, ends as stopped, and takes the next turn", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const run = session.run(desk.turn(lasting));
      await run.abort("/stop");
      await run.abort("/stop again");
      expectOneEnd(await readAll(run), "stopped");
      expect(desk.clock.waiting).toBe(0);
      expectOneEnd(await readAll(session.run(desk.turn(text))), "done");
    });

    it("does not change an end that was told by a late abort", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const run = session.run(desk.turn(text));
      const events = await readAll(run);
      await run.abort("too late");
      expectOneEnd(events, "done");
    });

    it("refuses a second run while one is live", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const run = session.run(desk.turn(lasting));
      expect(() => session.run(desk.turn(text))).toThrow(/another turn is live/);
      await run.abort("over");
    });

    it("is at rest after close, and refuses runs from then on", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const run = session.run(desk.turn(lasting));
      await session.close();
      expectOneEnd(await readAll(run), "stopped");
      expect(() => session.run(desk.turn(text))).toThrow(/closed/);
    });

    it("returns every steered message", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const run = session.run(desk.turn(lasting));
      expect(await run.steer({ kind: "message", text: "faster" })).toBe("returned");
      await run.abort("over");
      expect(await run.steer({ kind: "message", text: "hello?" })).toBe("returned");
    });

    it("does not open under a signal that is aborted", async () => {
      const desk = new TurnDesk();
      const opening = create().open(
        { sessionKey: "agent:main:main", sessionId: "s", agentId: "main", workspaceDir: "/w", tools: [] },
        { clock: desk.clock, log: desk.log },
        AbortSignal.abort(new Error("shutting down")),
      );
      await expect(opening).rejects.toThrow("shutting down");
    });

    it("lets the reader leave early without keeping the session busy", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const run = session.run(desk.turn(text));
      for await (const _first of run.events) break;
      await run.abort("the reader left");
      expectOneEnd(await readAll(session.run(desk.turn(text))), "done");
    });

    if (working === undefined) return;

    it("gives each tool start one end, and numbers calls from 0", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const events = await readAll(session.run(desk.turn(working, TOOLS)));
      expect(toolEventsOf(events)).toEqual(["tool_start 0", "tool_end 0", "tool_start 1", "tool_end 1"]);
      expectOneEnd(events, "done");
    });

    it("replays committed calls in a later attempt, and answers the same", async () => {
      const desk = new TurnDesk();
      const first = await readAll((await desk.open(create())).run(desk.turn(working, TOOLS)));
      desk.committed.length = 1;
      desk.ran.length = 0;
      const second = await readAll((await desk.open(create())).run(desk.turn(working, TOOLS, 2)));
      expect(desk.ran.map(({ ordinal, name }) => `${ordinal} ${name}`)).toEqual(["1 read_file"]);
      expect(textOf(second)).toBe(textOf(first));
    });

    it("ends an open tool call before it stops", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const begun = Promise.withResolvers<void>();
      const never = new Promise<never>(() => undefined);
      const list_files = () => {
        begun.resolve();
        return never;
      };
      const run = session.run(desk.turn(working, { list_files }));
      await begun.promise;
      await run.abort("/stop");
      const events = await readAll(run);
      expect(toolEventsOf(events)).toEqual(["tool_start 0", "tool_end 0"]);
      expectOneEnd(events, "stopped");
    });

    it("stops when the lane is lost", async () => {
      const desk = new TurnDesk();
      const session = await desk.open(create());
      const turn = { ...desk.turn(working), callTool: () => Promise.reject(new Error("lane lost")) };
      const events = await readAll(session.run(turn));
      expect(toolEventsOf(events)).toEqual(["tool_start 0", "tool_end 0"]);
      expectOneEnd(events, "stopped");
    });
  },
);

function expectOneEnd(events: readonly RunEvent[], reason: string): void {
  expect(events.filter(({ type }) => type === "end")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "end", reason });
}

function toolEventsOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) =>
    event.type === "tool_start" || event.type === "tool_end" ? [`${event.type} ${event.ordinal}`] : [],
  );
}
