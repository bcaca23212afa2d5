import { type Address, isAddress } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/plugin-sdk/store";
import { withdrawSpawnThread } from "../../bindings/close-spawn-thread.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import { endIdleRun } from "../../runs/end-idle-run.ts";
import { parseRunBody } from "../../runs/run-body.ts";
import type { RunParts } from "../../runs/run-parts.ts";
import { buildRunTimer } from "../../runs/run-timer.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { removeAttachments } from "./materialize-attachments.ts";

type UndoParts = RunParts & Pick<SubagentParts, "threadHost">;

const THREAD_RETRY_MS = 5_000;

/**
 * Takes back all that may stand open for a reservation, by the ids it holds: the thread, the files, then the reservation
 * itself. One that was accepted although its caller was not told is left alone. A thread that cannot be taken back now is
 * left to a timer. Repeatable, also in a new process. Never rejects: what cannot be undone now, the next start undoes.
 */
export async function undoReservation(run: RunRow, parts: UndoParts): Promise<void> {
  const { store, ports, signal } = parts;
  const { workspaceDir, attachments } = parseRunBody(run.body);
  try {
    if (await isAccepted(run.runId, parts)) return;
    await withdrawThread(run, parts);
    if (attachments.length > 0) await removeAttachments({ workspaceDir, runId: run.runId });
    ports.faultPoint("undo.before");
    await commitPatiently(store, { step: "undo_run", runId: run.runId }, ports, signal);
    ports.faultPoint("undo.after");
    // Completions that it held back are free now; and a run that waited for it alone is done.
    parts.wakeLanes([run.requesterSessionKey]);
    if (run.parentRunId !== undefined) await endIdleRun(run.parentRunId, parts);
  } catch (error) {
    ports.log.error(
      { err: error, runId: run.runId },
      "a spawn that failed could not be undone; the next start does it",
    );
  }
}

async function isAccepted(runId: string, { store }: UndoParts): Promise<boolean> {
  const run = await store.read.run(runId);
  return run !== undefined && run.state !== "reserved" && run.endedReason !== "spawn-failed";
}

async function withdrawThread(run: RunRow, { store, ports, signal, threadHost, wakeTimers }: UndoParts): Promise<void> {
  const { bindingId } = parseRunBody(run.body);
  const parent: Address | undefined = isAddress(run.route) ? run.route : undefined;
  if (bindingId === undefined || parent === undefined) return;
  if ((await withdrawSpawnThread({ bindingId, parent }, threadHost)) === "done") return;
  const arm = [buildRunTimer("thread-withdrawal", run.runId, THREAD_RETRY_MS)];
  await commitPatiently(store, { step: "set_timers", arm, end: [] }, ports, signal);
  wakeTimers();
}
