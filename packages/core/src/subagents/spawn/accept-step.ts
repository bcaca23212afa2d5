import type { SessionEntry, ThreadBinding } from "@banyan/plugin-sdk";
import type { AcceptRun, NewEntry } from "@banyan/store";
import { buildBindingTimers } from "../../bindings/binding-timer.ts";
import type { ThreadRules } from "../../config/shapes/thread-rules.ts";
import { formatRunBody } from "../../runs/run-body.ts";
import { listAcceptTimers } from "../../runs/run-timer.ts";
import { buildTaskItem } from "../../runs/task-item.ts";
import { openSessionEntry } from "../../sessions/open-session-entry.ts";
import { buildSessionWrite } from "../../sessions/session-record.ts";
import { buildForeignRecord } from "./foreign/build-foreign.ts";
import type { SpawnDraft } from "./spawn-draft.ts";
import type { Lineage } from "./stages/lineage.ts";

export interface AcceptContext {
  readonly binding: ThreadBinding | undefined;
  /** The row of the delivery that shows how the run fares. */
  readonly anchor: string | undefined;
  /** What the child is told of itself. */
  readonly prompt: string;
  readonly lineage: Lineage;
  readonly entries: readonly NewEntry[];
  readonly sessionId: string;
  /** Of the reservation. */
  readonly createdAtMs: number;
  readonly now: number;
  readonly threads: ThreadRules;
}

/** T1 as data: the child's session, its task, its timers and its thread, in one step. Pure. */
export function buildAcceptStep(draft: SpawnDraft, context: AcceptContext): AcceptRun {
  const { asker, plan } = draft;
  const { binding, entries, createdAtMs, now, threads, anchor } = context;
  const { runId, childSessionKey, body } = plan;
  const entry = buildChildEntry(draft, context);
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
      ...listAcceptTimers({ runId, createdAtMs }, body, now),
      ...(binding === undefined ? [] : buildBindingTimers(binding.id, threads)),
    ],
    ...(binding === undefined ? {} : { binding: buildBinding(binding, childSessionKey, threads) }),
    body: formatRunBody({
      ...body,
      ...(asker.isQuiet ? { isQuiet: true } : {}),
      ...(anchor === undefined ? {} : { anchor }),
      ...hops,
    }),
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

function buildChildEntry(
  { asker, world, plan }: SpawnDraft,
  { binding, prompt, lineage, sessionId, now }: AcceptContext,
): SessionEntry {
  const { body, childSessionKey, role, controlScope } = plan;
  const { userId } = world.requester.entry;
  const label = body.label ?? body.taskName;
  return {
    ...openSessionEntry({ key: childSessionKey, sessionId, now }),
    ...(label === undefined ? {} : { label }),
    ...(userId === undefined ? {} : { userId }),
    ...lineage,
    subagentRole: role,
    subagentControlScope: controlScope,
    subagentPrompt: prompt,
    ...(body.model === undefined ? {} : { modelOverride: body.model }),
    ...(body.thinking === undefined ? {} : { thinkingLevel: body.thinking }),
    deliveryContext: asker.address,
    ...(binding === undefined ? {} : { ownThread: binding.address }),
    ...(plan.foreign === undefined ? {} : { acp: buildForeignRecord(plan.foreign, now) }),
    status: "running",
    startedAt: now,
  };
}
