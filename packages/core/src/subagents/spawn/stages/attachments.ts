import type { RunRow } from "@banyan/store";
import type { RunBody } from "../../../runs/run-body.ts";
import type { SubagentParts } from "../../subagent-parts.ts";
import { materializeAttachments, removeAttachments } from "../materialize-attachments.ts";
import type { SpawnDraft } from "../spawn-draft.ts";

/** Stage 13: the files lie in the child's workspace, in a folder that bears the run's id. */
export async function writeAttachments({ plan }: SpawnDraft, { ports }: Pick<SubagentParts, "ports">): Promise<void> {
  const { attachments, body, runId } = plan;
  if (attachments.length === 0) return;
  ports.faultPoint("attachments.before");
  await materializeAttachments({ workspaceDir: body.workspaceDir, runId }, attachments);
  ports.faultPoint("attachments.after");
}

/** Removes what stage 13 may have written. Repeatable. */
export async function withdrawAttachments(
  { runId }: Pick<RunRow, "runId">,
  { workspaceDir, attachments }: Pick<RunBody, "workspaceDir" | "attachments">,
): Promise<void> {
  if (attachments.length > 0) await removeAttachments({ workspaceDir, runId });
}
