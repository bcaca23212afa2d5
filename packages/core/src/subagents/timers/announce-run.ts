import type { TimerRow } from "@banyan/store";
import { commitPatiently } from "../../ports/commit-step.ts";
import { composeHostRows } from "../../runs/host-announcement.ts";
import { isUnfinished } from "../../runs/run-record.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { asFired, endTimer } from "./due-timer.ts";

/** The requester has not told the chat of a run's end in time: the host does. What the requester says later is its own. */
export async function announceRun(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const { store, ports, signal, outbox, owner } = parts;
  const run = await store.read.run(timer.subject);
  if (run === undefined || isUnfinished(run) || run.settledBy !== undefined) return endTimer(timer, parts);
  const { runId, toldSessionKey = run.requesterSessionKey } = run;
  const deliveries = outbox.reserve(composeHostRows(run, toldSessionKey, parts), owner);
  let isWritten = false;
  try {
    ports.faultPoint("announce.before");
    const step = { step: "announce_run", runId, deliveries, timer: asFired(timer) } as const;
    const { status } = await commitPatiently(store, step, ports, signal);
    ports.faultPoint("announce.after");
    const [first] = deliveries;
    // After a lost answer it is our own row that stands there.
    isWritten = status === "done" || (first !== undefined && (await store.read.delivery(first.id)) !== undefined);
  } finally {
    if (isWritten) outbox.enqueue(deliveries);
    else outbox.release(deliveries);
  }
}
