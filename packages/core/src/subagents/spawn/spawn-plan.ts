import type { RunBody } from "../../runs/run-body.ts";
import { buildSubagentSessionKey } from "../../sessions/keys/subagent-session-key.ts";
import {
  resolveSubagentControlScope,
  resolveSubagentRole,
  type SubagentControlScope,
  type SubagentRole,
} from "../../sessions/tree/subagent-role.ts";
import type { CheckedAttachment } from "./check-attachments.ts";
import { listWorkspaceRoots, resolveChildWorkspaceDir } from "./child-workspace.ts";
import { decideAnnounce } from "./decide-announce.ts";
import { decideFork } from "./decide-fork.ts";
import { resolveSpawnCleanup } from "./resolve-cleanup.ts";
import { formatSingleLine } from "./single-line.ts";
import type { SpawnCase } from "./spawn-case.ts";

/** Everything a run needs, decided; nothing of it is opened yet. */
export interface SpawnPlan {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly body: RunBody;
  readonly role: SubagentRole;
  readonly controlScope: SubagentControlScope;
  /** How deep the child's agent may spawn. */
  readonly maxSpawnDepth: number;
  /** The parent's context is copied into the child's transcript. */
  readonly isForked: boolean;
  /** Its completion wakes the requester, whose own run waits for it. */
  readonly isAwaited: boolean;
  /** Absolute: where the body's `workspaceDir` has to lie once links are followed. */
  readonly workspaceRoots: readonly string[];
  /** Their names stand in the body, in the same order. */
  readonly attachments: readonly CheckedAttachment[];
  /** Sentences for the requester: what was asked and is done otherwise. */
  readonly notes: readonly string[];
}

/** For a case that has passed every stage. */
export function buildSpawnPlan(spawn: SpawnCase): SpawnPlan {
  const { request, facts, targetId, targetRules } = spawn;
  const depth = facts.requester.depth + 1;
  const role = resolveSubagentRole(depth, targetRules.maxSpawnDepth);
  const attachments = spawn.attachments.kind === "ok" ? spawn.attachments.attachments : [];
  const fork = decideFork(spawn);
  const announce = decideAnnounce(spawn);
  const expectsCompletionMessage = request.expectsCompletionMessage ?? true;
  return {
    runId: facts.runId,
    childSessionKey: buildSubagentSessionKey(targetId, facts.runId),
    body: {
      task: request.task,
      ...(request.taskName !== undefined && { taskName: request.taskName }),
      ...(request.label !== undefined && { label: formatSingleLine(request.label) }),
      source: facts.source,
      agentId: targetId,
      ...(spawn.model !== undefined && { model: spawn.model }),
      ...(spawn.thinking !== undefined && { thinking: spawn.thinking }),
      mode: spawn.mode,
      cleanup: resolveSpawnCleanup({ mode: spawn.mode, cleanup: request.cleanup }),
      announce: announce.way,
      expectsCompletionMessage,
      ...resolveTimes(spawn),
      depth,
      sandbox: targetRules.sandbox,
      workspaceDir: resolveChildWorkspaceDir(spawn),
      threadRequested: request.thread === true,
      ...(request.thread === true && { bindingId: facts.runId }),
      attachments: attachments.map(({ name }) => name),
    },
    role,
    controlScope: resolveSubagentControlScope(role),
    maxSpawnDepth: targetRules.maxSpawnDepth,
    isForked: fork.isForked,
    isAwaited: announce.way === "parent" && expectsCompletionMessage,
    workspaceRoots: listWorkspaceRoots(spawn),
    attachments,
    notes: [...fork.notes, ...announce.notes],
  };
}

/** What is asked goes before the requester's rules. */
function resolveTimes({
  request,
  rules,
}: SpawnCase): Pick<RunBody, "timeoutMs" | "archiveAfterMs" | "announceTimeoutMs"> {
  const { runTimeoutSeconds } = request;
  const { archiveAfterMs, announceTimeoutMs } = rules;
  const timeoutMs = runTimeoutSeconds === undefined ? rules.runTimeoutMs : runTimeoutSeconds * 1_000;
  return {
    ...(timeoutMs !== undefined && timeoutMs > 0 && { timeoutMs }),
    ...(archiveAfterMs !== undefined && { archiveAfterMs }),
    announceTimeoutMs,
  };
}
