import type { Address, Sender, SpawnedRun } from "@banyan/plugin-sdk";
import type { AcceptRun, Refused, RunRow } from "@banyan/store";
import { buildRequester } from "../bindings/requester.ts";
import type { SubagentRules } from "../config/shapes/subagent-rules.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import { type AnnounceWay, formatRunBody, type RunBody } from "./run-body.ts";
import type { RunParts } from "./run-parts.ts";
import type { RunRecord } from "./run-record.ts";
import { listAcceptTimers } from "./run-timer.ts";
import { buildTaskItem } from "./task-item.ts";

const TASK_CHARS = 200;

/** A message to a sub-agent that is there already, whose answer is owed to who sent it. */
export interface SentRun {
  /** Of the child that is written to: any of its runs. */
  readonly run: Pick<RunRecord, "childSessionKey" | "rootSessionKey" | "body">;
  readonly text: string;
  /** What never sends twice, such as a command or a call of a turn. */
  readonly dedupe: string;
  readonly requesterSessionKey: string;
  /** The chat that is told; frozen with the reservation. */
  readonly address: Address;
  readonly sender: Sender;
  readonly spawnSeq: number;
  /** Of the turn that sends it, in the requester's lane; absent: a command sends it. */
  readonly epoch?: number;
  /** The run that the sender's turn works for. */
  readonly parentRunId?: string;
  readonly announce: AnnounceWay;
  /** The turn that sends it speaks to no chat. */
  readonly isQuiet?: boolean;
  /** Messages from agent to agent that led to it. */
  readonly hops?: number;
  /** Of who sends it: how many may be at work for it, and how long they may take. */
  readonly rules: SubagentRules;
  readonly mostTreeRuns: number;
}

export type PreparedSentRun =
  /** `accept` is to be written, by `accept_run` or by a command; then `onAccepted`, else `undo`. */
  | {
      readonly kind: "ready";
      readonly runId: string;
      readonly accept: AcceptRun;
      onAccepted(): void;
      /** Never rejects. */
      undo(): Promise<void>;
    }
  /** This very message was sent before. */
  | { readonly kind: "standing"; readonly run: RunRow }
  /** `fenced`: the turn has lost its lane. */
  | { readonly kind: "refused"; readonly reason: Refused["reason"] | "fenced" };

/**
 * A run of its own for a message to a child that stands: reserved here, so that it counts, and made ready to be accepted.
 * What the child runs now goes on; the message is behind it in the child's lane.
 */
export async function prepareSentRun(
  sent: SentRun,
  parts: Pick<RunParts, "store" | "ports" | "signal" | "hooks" | "wakeLanes" | "wakeTimers">,
): Promise<PreparedSentRun> {
  const { store, ports, signal, hooks, wakeLanes, wakeTimers } = parts;
  const { childSessionKey } = sent.run;
  const body = buildBody(sent);
  const reserve = { step: "reserve_run", run: buildIdentity(sent, body, ports.createUuid()) } as const;
  const { mostTreeRuns, rules, epoch } = sent;
  ports.faultPoint("T1a.before");
  const reserved = await commitPatiently(
    store,
    { ...reserve, mostChildren: rules.maxChildrenPerAgent, mostTreeRuns, ...(epoch === undefined ? {} : { epoch }) },
    ports,
    signal,
  );
  ports.faultPoint("T1a.after");
  if (reserved.status === "fenced") return { kind: "refused", reason: "fenced" };
  if (reserved.status === "refused") return { kind: "refused", reason: reserved.reason };
  if (reserved.run.state !== "reserved") return { kind: "standing", run: reserved.run };
  const { runId } = reserved.run;
  // One that an earlier attempt left reserved has opened nothing. It is taken up, unless it was for somebody else.
  if (reserved.run.childSessionKey !== childSessionKey) {
    await commitPatiently(store, { step: "undo_run", runId }, ports, signal);
    return prepareSentRun(sent, parts);
  }
  const now = ports.clock.now();
  return {
    kind: "ready",
    runId,
    accept: {
      runId,
      item: buildItem(sent, runId, now),
      timers: listAcceptTimers(reserved.run, body, now),
      body: reserve.run.body,
    },
    onAccepted() {
      wakeTimers();
      wakeLanes([childSessionKey]);
      void hooks.subagent_spawned.call(buildSpawnedRun(sent, runId, body));
    },
    async undo() {
      try {
        await commitPatiently(store, { step: "undo_run", runId }, ports, signal);
      } catch (error) {
        ports.log.error(
          { err: error, runId },
          "a message that was not sent is left reserved; the next start undoes it",
        );
      }
    },
  };
}

function buildIdentity(sent: SentRun, body: RunBody, runId: string) {
  const { run, dedupe, requesterSessionKey, parentRunId, spawnSeq, address, announce } = sent;
  return {
    runId,
    dedupe,
    childSessionKey: run.childSessionKey,
    requesterSessionKey,
    rootSessionKey: run.rootSessionKey,
    ...(parentRunId === undefined ? {} : { parentRunId }),
    spawnSeq,
    isAwaited: announce === "parent",
    route: address,
    body: formatRunBody(body),
  };
}

/** What the child is stays as it was spawned; the times are those of who asks now. */
function buildBody({ run, text, announce, isQuiet, hops, rules }: SentRun): RunBody {
  const { label, taskName, agentId, depth, sandbox, workspaceDir } = run.body;
  const { runTimeoutMs, archiveAfterMs, announceTimeoutMs } = rules;
  return {
    task: text,
    ...(label === undefined ? {} : { label }),
    ...(taskName === undefined ? {} : { taskName }),
    source: "send",
    agentId,
    // Of the child: also what is sent after this one goes by it.
    mode: run.body.mode,
    cleanup: "keep",
    announce,
    expectsCompletionMessage: true,
    ...(runTimeoutMs === undefined ? {} : { timeoutMs: runTimeoutMs }),
    ...(archiveAfterMs === undefined ? {} : { archiveAfterMs }),
    announceTimeoutMs,
    depth,
    sandbox,
    workspaceDir,
    threadRequested: false,
    attachments: [],
    ...(isQuiet ? { isQuiet } : {}),
    ...(hops === undefined ? {} : { hops }),
  };
}

function buildSpawnedRun(
  { run, requesterSessionKey, address }: SentRun,
  runId: string,
  { agentId, label: title, taskName, task, mode }: RunBody,
): SpawnedRun {
  const label = title ?? taskName;
  return {
    runId,
    childSessionKey: run.childSessionKey,
    agentId,
    ...(label === undefined ? {} : { label }),
    task: task.trim().slice(0, TASK_CHARS).toWellFormed(),
    mode,
    threadRequested: false,
    requester: buildRequester(address),
    requesterSessionKey,
  };
}

/** What it answers goes to the chat as the message of its run's end. */
function buildItem({ run, text, sender, address, hops }: SentRun, runId: string, now: number) {
  const { childSessionKey } = run;
  const more = hops === undefined ? {} : { hops };
  return buildTaskItem({ runId, childSessionKey, task: text, sender, now, address, isBound: false, ...more });
}
