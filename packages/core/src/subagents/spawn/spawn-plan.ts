import type { Requester } from "@banyan/plugin-sdk";
import { narrowRunTimeout } from "../../config/shapes/subagent-rules.ts";
import type { RunBody } from "../../runs/run-body.ts";
import { buildChildSessionKey } from "../../sessions/keys/subagent-session-key.ts";
import type { CheckedAttachment } from "./check-attachments.ts";
import { listWorkspaceRoots, resolveChildWorkspaceDir } from "./child-workspace.ts";
import { decideAnnounce } from "./decide-announce.ts";
import { decideFork } from "./decide-fork.ts";
import { decideForeignBeginning, type ForeignBeginning } from "./foreign/build-foreign.ts";
import { resolveSpawnCleanup } from "./resolve-cleanup.ts";
import { formatSingleLine } from "./single-line.ts";
import type { SpawnCase } from "./spawn-case.ts";
import type { ChildRole } from "./stages/role.ts";

/** Everything a run needs, decided; nothing of it is opened yet. */
export interface SpawnPlan extends ChildRole {
  readonly runId: string;
  readonly childSessionKey: string;
  /** Where it is asked for, which is the route that its run keeps. */
  readonly requester: Requester;
  readonly body: RunBody;
  /** How deep the child's agent may spawn. */
  readonly maxSpawnDepth: number;
  /** The parent's context is copied into the child's transcript. */
  readonly isForked: boolean;
  /** What a foreign agent begins with. */
  readonly foreign?: ForeignBeginning;
  /** Its completion wakes the requester, whose own run waits for it. */
  readonly isAwaited: boolean;
  /** Absolute: where the body's `workspaceDir` has to lie once links are followed. */
  readonly workspaceRoots: readonly string[];
  /** Their names stand in the body, in the same order. */
  readonly attachments: readonly CheckedAttachment[];
  /** Sentences for the requester: what was asked and is done otherwise. */
  readonly notes: readonly string[];
}

/** What the pure stages have resolved. */
export interface ResolvedSpawn extends ChildRole {
  readonly requester: Requester;
  readonly depth: number;
  readonly model: string | undefined;
  readonly thinking: string | undefined;
}

/** For a case that no pure stage has refused. */
export function buildSpawnPlan(spawn: SpawnCase, resolved: ResolvedSpawn): SpawnPlan {
  const { request, facts, targetId, targetRules } = spawn;
  const { requester, depth, role, controlScope, model, thinking } = resolved;
  const attachments = spawn.attachments.kind === "ok" ? spawn.attachments.attachments : [];
  const fork = decideFork(spawn);
  const foreign = decideForeignBeginning(spawn, fork.isForked);
  const announce = decideAnnounce(spawn);
  const expectsCompletionMessage = request.expectsCompletionMessage ?? true;
  return {
    runId: facts.runId,
    childSessionKey: buildChildSessionKey(request.runtime ?? "subagent", targetId, facts.runId),
    requester,
    body: {
      task: request.task,
      ...(request.taskName !== undefined && { taskName: request.taskName }),
      ...(request.label !== undefined && { label: formatSingleLine(request.label) }),
      source: facts.source,
      ...(facts.askedBy === undefined ? {} : { askedBy: facts.askedBy }),
      agentId: targetId,
      ...(model !== undefined && { model }),
      ...(thinking !== undefined && { thinking }),
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
    controlScope,
    maxSpawnDepth: targetRules.maxSpawnDepth,
    isForked: fork.isForked,
    ...(foreign === undefined ? {} : { foreign }),
    isAwaited: announce.way === "parent" && expectsCompletionMessage,
    workspaceRoots: listWorkspaceRoots(spawn),
    attachments,
    notes: [...fork.notes, ...announce.notes, ...listTimeNotes(spawn)],
  };
}

/** Who asks for more time than there is must know, or would wait for the wrong thing. */
function listTimeNotes({
  request: { runTimeoutSeconds },
  rules: { maxRunTimeoutMs = 0 },
}: SpawnCase): readonly string[] {
  if (runTimeoutSeconds === undefined || maxRunTimeoutMs === 0) return [];
  const askedMs = runTimeoutSeconds * 1_000;
  if (narrowRunTimeout(askedMs, maxRunTimeoutMs) === askedMs) return [];
  return [`is stopped after ${maxRunTimeoutMs / 1_000} s: no sub-agent of this agent may take longer.`];
}

/** What is asked goes before the requester's rules. */
function resolveTimes({
  request,
  rules,
}: SpawnCase): Pick<RunBody, "timeoutMs" | "archiveAfterMs" | "announceTimeoutMs"> {
  const { runTimeoutSeconds } = request;
  const { archiveAfterMs, announceTimeoutMs, runTimeoutMs = 0, maxRunTimeoutMs = 0 } = rules;
  const askedMs = runTimeoutSeconds === undefined ? runTimeoutMs : runTimeoutSeconds * 1_000;
  const timeoutMs = narrowRunTimeout(askedMs, maxRunTimeoutMs);
  return {
    ...(timeoutMs > 0 && { timeoutMs }),
    ...(archiveAfterMs !== undefined && { archiveAfterMs }),
    announceTimeoutMs,
  };
}
