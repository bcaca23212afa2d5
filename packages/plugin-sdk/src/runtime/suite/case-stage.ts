import assert from "node:assert/strict";
import type { RunHandle, RuntimeSession } from "../agent-runtime.ts";
import type { RunEvent } from "../run-event.ts";
import type { ToolDescription } from "../tool.ts";
import type { PreparedTurn, RuntimeHarness, RuntimePlan } from "./runtime-case.ts";
import { readAll, type TestTool, TurnDesk } from "./turn-desk.ts";

/** The core waits so long for a runtime that it has stopped, and then leaves it to itself. */
const ABORT_LIMIT_MS = 5_000;

export const suiteTools: Readonly<Record<string, TestTool>> = {
  list_files: () => ({ text: "docs/a.md\t11", isError: false }),
  read_file: () => ({ text: "[docs/a.md: bytes 0 to 11 of 11]\nhello world", isError: false }),
};

const DESCRIPTIONS: readonly ToolDescription[] = [
  { name: "list_files", description: "Lists files", parameters: { type: "object" } },
  {
    name: "read_file",
    description: "Reads a file",
    parameters: { type: "object", properties: { path: { type: "string" } } },
  },
];

/** A session that was opened for a case, and what its turns are asked for. */
export interface CaseStage {
  readonly desk: TurnDesk;
  readonly session: RuntimeSession;
  prepare(plan: RuntimePlan): Promise<PreparedTurn>;
}

export async function openStage(harness: RuntimeHarness, desk: TurnDesk = new TurnDesk()): Promise<CaseStage> {
  const session = await desk.open(harness.runtime, { tools: DESCRIPTIONS }, harness.clock);
  return {
    desk,
    session,
    async prepare(plan) {
      const prepare = harness.plans[plan];
      assert(prepare !== undefined, `the harness has no plan "${plan}"`);
      return prepare();
    },
  };
}

/** A turn whose events are read, as the core does from its first moment on. */
export interface ReadRun {
  readonly handle: RunHandle;
  readonly events: Promise<readonly RunEvent[]>;
}

export function readRun(handle: RunHandle): ReadRun {
  return { handle, events: readAll(handle) };
}

/** Runs a turn to its own end. */
export async function runTurn({ desk, session, prepare }: CaseStage, plan: RuntimePlan): Promise<readonly RunEvent[]> {
  const { text } = await prepare(plan);
  return readAll(session.run(desk.turn(text, suiteTools)));
}

/** Begins a turn and resolves when it stands where its plan wants it to. */
export async function beginTurn({ desk, session, prepare }: CaseStage, plan: RuntimePlan): Promise<ReadRun> {
  const { text, reached } = await prepare(plan);
  const run = readRun(session.run(desk.turn(text, suiteTools)));
  await inTime(reached ?? Promise.resolve(), `the plan "${plan}" is reached`);
  return run;
}

/** Rejects where something that must come to rest does not. */
export async function inTime<Value>(work: Promise<Value>, what: string): Promise<Value> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new assert.AssertionError({ message: `${what} within ${ABORT_LIMIT_MS} ms` })),
    ABORT_LIMIT_MS,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function assertOneEnd(events: readonly RunEvent[], reason: string): void {
  assert.equal(events.filter(({ type }) => type === "end").length, 1, "there is one end");
  const last = events.at(-1);
  assert(last?.type === "end", "nothing comes after the end");
  assert.equal(last.reason, reason);
}

export function listToolEvents(events: readonly RunEvent[]): readonly string[] {
  return events.flatMap((event) =>
    event.type === "tool_start" || event.type === "tool_end" ? [`${event.type} ${event.ordinal}`] : [],
  );
}
