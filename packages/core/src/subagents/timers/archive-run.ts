import type { RunRow, TimerRow } from "@banyan/store";
import { commitPatiently } from "../../ports/commit-step.ts";
import { readThreads } from "../../runs/read-ending-run.ts";
import { parseRunBody, type RunBody } from "../../runs/run-body.ts";
import { buildRunTimer } from "../../runs/run-timer.ts";
import { buildThreadClosing } from "../../runs/thread-timer.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { decideArchive } from "./decide-archive.ts";
import { asFired, endTimer, rearmTimer } from "./due-timer.ts";

/** What is to be put away right after its announcement waits for that, in growing pauses. */
const SHORTEST_WAIT_MS = 5_000;
const LONGEST_WAIT_MS = 60_000;

/** Puts a child's session away once its run is over and told of; what is not, is looked at again. */
export async function archiveRun(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const { store, ports, signal, sessions } = parts;
  const run = await store.read.run(timer.subject);
  if (run === undefined || run.archivedAtMs !== undefined) return endTimer(timer, parts);
  const body = parseRunBody(run.body);
  const dueInMs = decideRearm(run, body, run.settledBy !== undefined, ports.clock.now());
  if (dueInMs !== undefined) return rearmTimer(timer, dueInMs, parts);
  const { runId, childSessionKey } = run;
  if (await isFocused(childSessionKey, parts))
    return rearmTimer(timer, decideWait(run, body, ports.clock.now()), parts);
  const threads = await readThreads(childSessionKey, store.read);
  const timers = [
    ...(body.attachments.length === 0 ? [] : [buildRunTimer("attachments", runId, 0)]),
    ...threads.map((thread) => buildThreadClosing(thread, runId)),
  ];
  ports.faultPoint("archive.before");
  const step = { step: "archive_run", runId, timer: asFired(timer), timers } as const;
  const archived = await commitPatiently(store, step, ports, signal);
  ports.faultPoint("archive.after");
  if (archived.status === "refused") {
    if (archived.reason === "not_found") return endTimer(timer, parts);
    // What it has to say is still on its way, or it is at work again.
    return rearmTimer(timer, decideWait(run, body, ports.clock.now()), parts);
  }
  sessions.forget(childSessionKey);
  if (threads.length > 0) await parts.refreshRoutes();
  parts.wakeTimers();
}

/** Somebody talks with it in a conversation of his own, which comes to its own end. */
async function isFocused(sessionKey: string, { store }: SubagentParts): Promise<boolean> {
  return (await store.read.bindings({ sessionKey })).some(({ kind }) => kind === "focus");
}

/** How long it is too early yet; `undefined`: it is time. */
function decideRearm(run: RunRow, body: RunBody, isDelivered: boolean, nowMs: number): number | undefined {
  const { createdAtMs, endedAtMs } = run;
  if (body.cleanup === "delete" && endedAtMs !== undefined)
    return isDelivered ? undefined : decideDeleteWait(nowMs - endedAtMs);
  const archiveAfterMs = body.archiveAfterMs ?? LONGEST_WAIT_MS;
  const decision = decideArchive({ nowMs, archiveAfterMs, createdAtMs, endedAtMs, isDelivered });
  return decision.kind === "archive" ? undefined : decision.dueAtMs - nowMs;
}

/** After an end about which something is not done yet, as for one that is not told of. */
function decideWait(run: RunRow, body: RunBody, nowMs: number): number {
  return decideRearm(run, body, false, nowMs) ?? LONGEST_WAIT_MS;
}

function decideDeleteWait(sinceEndMs: number): number {
  return Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, sinceEndMs));
}
