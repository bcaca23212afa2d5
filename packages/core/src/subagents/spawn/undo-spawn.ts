import type { RunRow } from "@banyan/store";
import { commitPatiently } from "../../ports/commit-step.ts";
import { endIdleRun } from "../../runs/end-idle-run.ts";
import { parseRunBody } from "../../runs/run-body.ts";
import type { RunParts } from "../../runs/run-parts.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { withdrawAttachments } from "./stages/attachments.ts";
import { withdrawThread } from "./stages/thread-binding.ts";

type UndoParts = RunParts & Pick<SubagentParts, "threadHost">;

/**
 * Takes back all that may stand open for a reservation, by the ids it holds and from the last stage to the first, so that
 * whatever dies on the way still finds them. One that was accepted although its caller was not told is left alone. A
 * thread that cannot be taken back now is left to a timer. Repeatable, also in a new process. Never rejects: what cannot
 * be undone now, the next start undoes.
 */
export async function undoReservation(run: RunRow, parts: UndoParts): Promise<void> {
  const held = parseRunBody(run.body);
  try {
    if (await isAccepted(run.runId, parts)) return;
    try {
      await withdrawAttachments(run, held); // 13
    } finally {
      // A disk that resists keeps no thread open.
      await withdrawThread(run, held, parts); // 12
    }
    await releaseReservation(run, parts); // 6
  } catch (error) {
    parts.ports.log.error(
      { err: error, runId: run.runId },
      "a spawn that failed could not be undone; the next start does it",
    );
  }
}

async function releaseReservation(run: RunRow, parts: UndoParts): Promise<void> {
  const { store, ports, signal } = parts;
  ports.faultPoint("undo.before");
  await commitPatiently(store, { step: "undo_run", runId: run.runId }, ports, signal);
  ports.faultPoint("undo.after");
  // Completions that it held back are free now; and a run that waited for it alone is done.
  parts.wakeLanes([run.requesterSessionKey]);
  if (run.parentRunId !== undefined) await endIdleRun(run.parentRunId, parts);
}

async function isAccepted(runId: string, { store }: UndoParts): Promise<boolean> {
  const run = await store.read.run(runId);
  return run !== undefined && run.state !== "reserved" && run.endedReason !== "spawn-failed";
}
