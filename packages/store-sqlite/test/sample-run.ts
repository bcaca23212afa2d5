import type { AcceptRunStep, ArchiveRunStep, EndRunsStep, NewItem, ReserveRunStep } from "@banyan/store";
import type { SqliteStore } from "@banyan/store-sqlite";
import { adaKey, buildEntries, buildSession } from "./sample.ts";

/** Steps of a run that Ada's session asked for. */
export function buildChildKey(runId: string): string {
  return `agent:main:child:${runId}`;
}

function buildItem(runId: string, more: Pick<NewItem, "lane" | "dedupe" | "kind">): NewItem {
  return { nativeId: runId, address: "test|one|ada", body: "{}", ...more };
}

export function buildReserve(runId: string): ReserveRunStep {
  const keys = { childSessionKey: buildChildKey(runId), requesterSessionKey: adaKey, rootSessionKey: adaKey };
  const run = { runId, dedupe: `call ${runId}`, ...keys, isAwaited: true, route: "test|one|ada", body: "{}" };
  return { step: "reserve_run", run, mostChildren: 10, mostTreeRuns: 10 };
}

export function buildAccept(runId: string): AcceptRunStep {
  const lane = buildChildKey(runId);
  return {
    step: "accept_run",
    runId,
    session: buildSession({ key: lane, sessionId: runId, file: `${runId}.jsonl` }),
    entries: buildEntries(`first of ${runId}`, `second of ${runId}`),
    item: { ...buildItem(runId, { lane, dedupe: `task ${runId}`, kind: "nested" }), runId },
    timers: [],
    body: "{}",
  };
}

/** Nobody is told, and what waits in its lane is done. */
export function buildEnd(runId: string): EndRunsStep {
  const stop = { epoch: 0, sessionId: runId, entries: buildEntries(`end of ${runId}`) };
  const rest = { deliveries: [], timers: [], endTimers: [], stop };
  const end = { runId, endedReason: "killed", result: "{}", settledBy: "nobody", ...rest } as const;
  return { step: "end_runs", ends: [end], closed: [] };
}

function buildArchive(runId: string): ArchiveRunStep {
  return { step: "archive_run", runId, timers: [] };
}

/** A run that is over and put away. Ada's session must stand. */
export async function archiveSampleRun(store: SqliteStore, runId: string): Promise<void> {
  const steps = [buildReserve(runId), buildAccept(runId), buildEnd(runId), buildArchive(runId)];
  for (const step of steps) {
    const { status } = await store.commit(step);
    if (status !== "done") throw new Error(`archiving a sample run: ${step.step} is ${status}`);
  }
}
