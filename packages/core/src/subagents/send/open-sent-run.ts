import type { NewTimer, RunRow } from "@banyan/plugin-sdk/store";
import { buildRequester } from "../../bindings/requester.ts";
import { getSubagentRules } from "../../config/shapes/subagent-rules.ts";
import { commitPatiently } from "../../ports/commit-step.ts";
import { formatRunBody, parseRunBody, type RunBody } from "../../runs/run-body.ts";
import type { RunRecord } from "../../runs/run-record.ts";
import { buildRunTimerId } from "../../runs/run-timer.ts";
import { buildTaskItem } from "../../runs/task-item.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { buildSendDedupe, type MessageSender } from "./message-sender.ts";
import { refuseMessage, type SentMessage, type UnsentMessage } from "./sent-message.ts";

export interface RunMessage {
  readonly sender: MessageSender;
  /** The latest run of the child that is written to. */
  readonly latest: RunRecord;
  readonly text: string;
}

/**
 * A message to a `run` child is a run of its own in the child's session, owed to the sender: its completion comes as that
 * of a spawned one does. Reserved (T1a), then accepted (T1), so that a repeated call finds it.
 */
export async function openSentRun(message: RunMessage, parts: SubagentParts): Promise<SentMessage | UnsentMessage> {
  const { store, ports, signal } = parts;
  const reserved = await reserve(message, parts);
  if ("kind" in reserved) return reserved;
  const run = reserved;
  const { sender, text } = message;
  const body = parseRunBody(run.body);
  ports.faultPoint("T1.before");
  const accepted = await commitPatiently(
    store,
    {
      step: "accept_run",
      runId: run.runId,
      item: buildTaskItem({
        runId: run.runId,
        childSessionKey: run.childSessionKey,
        task: text,
        sender: { id: sender.sessionKey, displayName: sender.agentId },
        now: ports.clock.now(),
        address: run.route,
        isBound: false,
        hops: sender.hops,
      }),
      timers: listTimers(run.runId, body),
      body: run.body,
    },
    ports,
    signal,
  );
  ports.faultPoint("T1.after");
  if (accepted.status === "refused") {
    await commitPatiently(store, { step: "undo_run", runId: run.runId }, ports, signal);
    return refuseMessage("error", `${run.childSessionKey} takes no input any more; spawn a new sub-agent`);
  }
  announce(run, body, sender, parts);
  return { kind: "run", runId: run.runId };
}

async function reserve(
  { sender, latest, text }: RunMessage,
  { store, ports, signal, agents, limits }: SubagentParts,
): Promise<RunRow | UnsentMessage> {
  const rules = getSubagentRules(agents[sender.agentId]);
  ports.faultPoint("T1a.before");
  const reserved = await commitPatiently(
    store,
    {
      step: "reserve_run",
      run: {
        runId: ports.createUuid(),
        dedupe: buildSendDedupe(sender),
        childSessionKey: latest.childSessionKey,
        requesterSessionKey: sender.sessionKey,
        rootSessionKey: latest.rootSessionKey,
        ...(sender.runId === undefined ? {} : { parentRunId: sender.runId }),
        spawnSeq: sender.itemSeq,
        isAwaited: true,
        route: sender.address,
        body: formatRunBody(buildBody({ sender, latest, text }, rules)),
      },
      mostChildren: rules.maxChildrenPerAgent,
      mostTreeRuns: limits.maxTreeRuns,
    },
    ports,
    signal,
  );
  ports.faultPoint("T1a.after");
  if (reserved.status !== "refused") return reserved.run;
  switch (reserved.reason) {
    case "children":
      return refuseMessage(
        "forbidden",
        `${rules.maxChildrenPerAgent} of your sub-agents are at work; wait until one is done`,
      );
    case "tree":
      return refuseMessage("forbidden", `${limits.maxTreeRuns} runs are at work in this tree; wait until one is done`);
    default:
      return refuseMessage("error", "what you work for has ended meanwhile; end your turn");
  }
}

/** What the child is stays as it was spawned; the times are those of who asks now. */
function buildBody(
  { sender, latest, text }: RunMessage,
  { runTimeoutMs, archiveAfterMs, announceTimeoutMs }: ReturnType<typeof getSubagentRules>,
): RunBody {
  const { label, taskName, agentId, depth, sandbox, workspaceDir } = latest.body;
  const name = label ?? taskName;
  return {
    task: text,
    ...(name === undefined ? {} : { label: name }),
    source: "send",
    agentId,
    mode: "run",
    cleanup: "keep",
    announce: "parent",
    expectsCompletionMessage: true,
    ...(runTimeoutMs === undefined ? {} : { timeoutMs: runTimeoutMs }),
    ...(archiveAfterMs === undefined ? {} : { archiveAfterMs }),
    announceTimeoutMs,
    depth,
    sandbox,
    workspaceDir,
    threadRequested: false,
    attachments: [],
    hops: sender.hops,
  };
}

function listTimers(subject: string, { timeoutMs, archiveAfterMs }: RunBody): readonly NewTimer[] {
  const timer = (kind: "timeout" | "archive", dueInMs: number | undefined): readonly NewTimer[] =>
    dueInMs === undefined ? [] : [{ id: buildRunTimerId(kind, subject), kind, subject, dueInMs }];
  return [...timer("timeout", timeoutMs), ...timer("archive", archiveAfterMs)];
}

const TASK_CHARS = 200;

function announce(run: RunRow, body: RunBody, { sessionKey, address }: MessageSender, parts: SubagentParts): void {
  const { runId, childSessionKey } = run;
  parts.wakeTimers();
  parts.wakeLanes([childSessionKey]);
  void parts.hooks.subagent_spawned.call({
    runId,
    childSessionKey,
    agentId: body.agentId,
    ...(body.label === undefined ? {} : { label: body.label }),
    task: body.task.trim().slice(0, TASK_CHARS).toWellFormed(),
    mode: body.mode,
    threadRequested: false,
    requester: buildRequester(address),
    requesterSessionKey: sessionKey,
  });
}
