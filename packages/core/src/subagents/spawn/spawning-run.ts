import type { SpawningRun } from "@banyan/plugin-sdk";
import type { SpawnDraft } from "./spawn-draft.ts";

const TASK_CHARS = 200;

/** A run as the hooks of its spawn see it. */
export function buildSpawningRun({ asker, plan }: SpawnDraft): SpawningRun {
  const { runId, childSessionKey, requester, body } = plan;
  const label = body.label ?? body.taskName;
  return {
    runId,
    childSessionKey,
    agentId: body.agentId,
    ...(label === undefined ? {} : { label }),
    task: body.task.trim().slice(0, TASK_CHARS).toWellFormed(),
    mode: body.mode,
    threadRequested: body.threadRequested,
    ...(body.bindingId === undefined ? {} : { bindingId: body.bindingId }),
    requester,
    ...(body.askedBy === undefined ? {} : { askedBy: body.askedBy }),
    requesterSessionKey: asker.sessionKey,
  };
}
