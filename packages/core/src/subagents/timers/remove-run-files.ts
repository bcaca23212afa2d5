import type { TimerRow } from "@banyan/store";
import { parseRunBody } from "../../runs/run-body.ts";
import { removeAttachments } from "../spawn/materialize-attachments.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { endTimer } from "./due-timer.ts";

/** The files that came with a task go with the child. */
export async function removeRunFiles(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const run = await parts.store.read.run(timer.subject);
  // A spawn that is not undone yet, or was accepted after all.
  const isOver = run?.archivedAtMs !== undefined || run?.endedReason === "spawn-failed";
  if (run !== undefined && isOver) {
    const { workspaceDir } = parseRunBody(run.body);
    parts.ports.faultPoint("attachments.remove.before");
    await removeAttachments({ workspaceDir, runId: run.runId });
    parts.ports.faultPoint("attachments.remove.after");
  }
  await endTimer(timer, parts);
}
