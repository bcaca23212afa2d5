import type { SessionEntry, ThreadBinding } from "@banyan/plugin-sdk";
import type { AcceptRun, NewEntry } from "@banyan/plugin-sdk/store";
import { buildBindingTimers } from "../../bindings/binding-timer.ts";
import type { ThreadRules } from "../../config/shapes/thread-rules.ts";
import { formatRunBody } from "../../runs/run-body.ts";
import { listAcceptTimers } from "../../runs/run-timer.ts";
import { buildTaskItem } from "../../runs/task-item.ts";
import { openSessionEntry } from "../../sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../sessions/session-record.ts";
import { buildAttachmentsFolder } from "./materialize-attachments.ts";
import type { SpawnDraft } from "./spawn-draft.ts";
import { buildSubagentSystemPrompt } from "./subagent-prompt.ts";

export interface AcceptContext {
  readonly binding: ThreadBinding | undefined;
  readonly entries: readonly NewEntry[];
  readonly sessionId: string;
  readonly now: number;
  readonly threads: ThreadRules;
}

/** T1 as data: the child's session, its task, its timers and its thread, in one step. Pure. */
export function composeAccept(draft: SpawnDraft, context: AcceptContext): AcceptRun {
  const { asker, plan } = draft;
  const { binding, entries, sessionId, now, threads } = context;
  const { runId, childSessionKey, body } = plan;
  const entry = buildChildEntry(draft, sessionId, now);
  const hops = asker.hops === undefined ? {} : { hops: asker.hops };
  return {
    runId,
    requesterSessionKey: asker.sessionKey,
    session: buildSessionWrite({ key: childSessionKey, agentId: body.agentId, revision: 0 }, entry),
    ...(entries.length === 0 ? {} : { entries }),
    item: buildTaskItem({
      runId,
      childSessionKey,
      task: body.task,
      sender: asker.sender,
      now,
      address: binding?.address ?? asker.address,
      isBound: binding !== undefined,
      ...hops,
    }),
    timers: [
      ...listAcceptTimers(runId, body, now),
      ...(binding === undefined ? [] : buildBindingTimers(binding.id, threads)),
    ],
    ...(binding === undefined ? {} : { binding: buildBinding(binding, childSessionKey, threads) }),
    body: formatRunBody({ ...body, ...(asker.isQuiet ? { isQuiet: true } : {}), ...hops }),
  };
}

function buildBinding(
  { id, address }: ThreadBinding,
  sessionKey: string,
  { idleMs, maxAgeMs }: ThreadRules,
): NonNullable<AcceptRun["binding"]> {
  return {
    id,
    address,
    sessionKey,
    kind: "thread",
    ...(idleMs === undefined ? {} : { idleMs }),
    ...(maxAgeMs === undefined ? {} : { maxAgeMs }),
  };
}

/** Stages 14 and 15: what the child is told of itself, and where it comes from. */
function buildChildEntry({ asker, world, plan }: SpawnDraft, sessionId: string, now: number): SessionEntry {
  const { body, childSessionKey, role, controlScope, maxSpawnDepth, isForked } = plan;
  const { entry, agentId } = world.requester;
  const label = body.label ?? body.taskName;
  return {
    ...openSessionEntry({ key: childSessionKey, sessionId, now }),
    ...(label === undefined ? {} : { label }),
    ...(entry.userId === undefined ? {} : { userId: entry.userId }),
    spawnedBy: asker.sessionKey,
    spawnedWorkspaceDir: body.workspaceDir,
    spawnDepth: body.depth,
    ...(isForked ? { forkedFromParent: true } : {}),
    subagentRole: role,
    subagentControlScope: controlScope,
    spawnLineage: [...(entry.spawnLineage ?? []), agentId],
    subagentPrompt: buildSubagentSystemPrompt({
      ...body,
      maxSpawnDepth,
      attachmentCount: body.attachments.length,
      attachmentsFolder: buildAttachmentsFolder(plan.runId),
    }),
    ...(body.model === undefined ? {} : { modelOverride: body.model }),
    ...(body.thinking === undefined ? {} : { thinkingLevel: body.thinking }),
    deliveryContext: asker.address,
    status: "running",
    startedAt: now,
  };
}
