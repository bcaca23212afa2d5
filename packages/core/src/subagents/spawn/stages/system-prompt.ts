import { buildAttachmentsFolder } from "../materialize-attachments.ts";
import type { SpawnDraft } from "../spawn-draft.ts";
import { buildSubagentSystemPrompt } from "../subagent-prompt.ts";

/** Stage 14: what the child is told of itself. */
export function buildChildPrompt({ plan }: Pick<SpawnDraft, "plan">): string {
  const { runId, body, maxSpawnDepth } = plan;
  return buildSubagentSystemPrompt({
    ...body,
    maxSpawnDepth,
    attachmentCount: body.attachments.length,
    attachmentsFolder: buildAttachmentsFolder(runId),
  });
}
