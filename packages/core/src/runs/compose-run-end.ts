import type { Address, Completion, SessionEntry } from "@banyan/plugin-sdk";
import type { BindingRow, NewDelivery, NewItem, NewTimer, RunEnd, RunRow } from "@banyan/store";
import { listBindingTimerIds } from "../bindings/binding-timer.ts";
import { formatInnerBody } from "../lanes/item-body.ts";
import { buildSessionWrite, type SessionRecord } from "../sessions/session-record.ts";
import { buildCompletion, type RunFinish } from "./build-completion.ts";
import { formatCompletionMessage } from "./completion-message.ts";
import { decideSpeaker, type RunEnder, type Speaker, type ToldSession } from "./decide-speaker.ts";
import type { RunBody } from "./run-body.ts";
import { buildRunTimer, buildRunTimerId, buildStatusTimer } from "./run-timer.ts";
import { buildThreadClosing, buildThreadNaming } from "./thread-timer.ts";

/** Everything that a run's end is decided on. */
export interface EndingRun extends RunFinish {
  readonly run: RunRow;
  readonly body: RunBody;
  readonly by: RunEnder;
  readonly told: ToldSession | undefined;
  readonly target: Address;
  /** Others that the same turn has asked for are not told of yet; only looked at where the run ends in silence. */
  readonly hasSiblings: boolean;
  /** The conversation that had asked is over. */
  readonly isClosing?: boolean;
  /** Opened for the child: they close with a run that is one task, and show in their names how any other one ended. */
  readonly threads: readonly Pick<BindingRow, "id" | "address">[];
  /** The child's record, where it is to say how it ended. */
  readonly child?: SessionRecord | undefined;
  /** That record as it stands in the store, where the turn that is stopped or ends has used something since. */
  readonly childBefore?: SessionEntry | undefined;
  readonly stop?: RunEnd["stop"];
}

/** Makes the rows of a completion message; `undeliverable` says why nobody gets it. */
export type ComposeAnnouncement = (announcement: {
  readonly address: Address;
  readonly text: string;
  readonly completions: readonly Completion[];
  readonly sessionKey: string;
  /** The turn of the requester whose own words they are. */
  readonly turnId?: string;
  readonly undeliverable?: string;
  /** The delivery whose message shows how the runs fare: it becomes this one. */
  readonly claims?: string;
}) => readonly NewDelivery[];

export interface ComposedEnd {
  readonly end: RunEnd;
  readonly requesterSessionKey: string;
  readonly completion: Completion;
}

/** What tells of the end in words is on its way by then, and takes the status' place. */
const STATUS_DUE_MS = 3_000;
const NOBODY_LEFT = "Its requester's session is gone, and so are those above it";

/** The one builder of a run's end. Pure but for the ids of rows. */
export function composeRunEnd(ending: EndingRun, composeAnnouncement: ComposeAnnouncement): ComposedEnd {
  const { run, body, told, target, child, childBefore, stop, reason, by } = ending;
  const completion = buildCompletion(run, body, ending);
  const speaker = decideSpeaker({
    ...body,
    told,
    by,
    isSilent: completion.isSilent === true,
    hasSiblings: ending.hasSiblings,
    isClosing: ending.isClosing === true,
  });
  const announced = {
    address: target,
    text: formatCompletionMessage(completion),
    completions: [completion],
    sessionKey: told?.key ?? run.requesterSessionKey,
    ...findOwnAnchor(run, body, target),
    ...(told === undefined ? { undeliverable: NOBODY_LEFT } : {}),
  };
  const end: RunEnd = {
    runId: run.runId,
    requesterSessionKey: run.requesterSessionKey,
    endedReason: reason,
    result: JSON.stringify(completion),
    target,
    ...(told === undefined ? {} : { completion: buildCompletionItem(completion, ending, told, speaker.wake) }),
    ...(speaker.settledBy === undefined ? {} : { settledBy: speaker.settledBy }),
    deliveries: speaker.hostTells ? composeAnnouncement(announced) : [],
    timers: listTimers(ending, speaker),
    endTimers: [buildRunTimerId("timeout", run.runId), ...listBindingTimers(body)],
    ...(child === undefined
      ? {}
      : {
          session: buildSessionWrite(
            { ...child, entry: childBefore ?? child.entry },
            endSessionEntry(child.entry, completion, ending),
          ),
        }),
    ...(stop === undefined ? {} : { stop }),
    ...(hasOwnThread(body) ? { unbinds: true } : {}),
  };
  return { end, completion, requesterSessionKey: run.requesterSessionKey };
}

/**
 * The message that shows how the run alone fares, where that is the place that is told. The one that a turn has for all its
 * children becomes the answer of their requester.
 */
export function findOwnAnchor(
  { route }: Pick<RunRow, "route">,
  { source, announce, anchor }: Pick<RunBody, "source" | "announce" | "anchor">,
  address: string,
): { readonly claims?: string } {
  const isAlone = source === "command" && announce === "direct";
  return anchor === undefined || !isAlone || route !== address ? {} : { claims: anchor };
}

/** Its thread was opened for this one task. */
function hasOwnThread({ mode, threadRequested }: RunBody): boolean {
  return mode === "run" && threadRequested;
}

function listBindingTimers(body: RunBody): readonly string[] {
  const { bindingId } = body;
  if (bindingId === undefined || !hasOwnThread(body)) return [];
  return listBindingTimerIds(bindingId);
}

function buildCompletionItem(
  completion: Completion,
  { run, body, target, now, isClosing }: EndingRun,
  told: ToldSession,
  wake: "turn" | "append",
): NewItem {
  const id = `completion|${run.runId}`;
  const isOwn = told.key === run.requesterSessionKey;
  return {
    lane: told.key,
    dedupe: id,
    nativeId: id,
    kind: "completion",
    address: target,
    wake,
    ...(isOwn && run.parentRunId !== undefined ? { runId: run.parentRunId } : {}),
    body: formatInnerBody({
      id,
      text: "",
      sender: { id: run.childSessionKey },
      at: now,
      completion,
      ...(body.hops === undefined ? {} : { hops: body.hops }),
      ...(told.isChild && (body.isQuiet || !told.isBound) ? { isQuiet: true } : {}),
      ...(isOwn && isClosing ? { sessionId: told.sessionId } : {}),
    }),
  };
}

function listTimers({ run, body, threads }: EndingRun, speaker: Speaker): readonly NewTimer[] {
  const { runId } = run;
  const waitsForAnswer = speaker.settledBy === undefined;
  const isTold = waitsForAnswer || speaker.hostTells;
  return [
    ...(waitsForAnswer ? [buildRunTimer("announce", runId, body.announceTimeoutMs)] : []),
    ...(body.anchor === undefined ? [] : [buildStatusTimer(body.anchor, runId, isTold ? STATUS_DUE_MS : 0)]),
    // `delete` is put away right after the announcement; else the timer of its acceptance stands.
    ...(body.cleanup === "delete" ? [buildRunTimer("archive", runId, 0)] : []),
    ...threads.map((thread) => (body.mode === "run" ? buildThreadClosing : buildThreadNaming)(thread, runId)),
  ];
}

/** The child's record behind its run. A session knows no interruption of its own: there it has failed. */
function endSessionEntry(
  entry: SessionEntry,
  { outcome }: Completion,
  { now, run }: Pick<EndingRun, "now" | "run">,
): SessionEntry {
  const startedAt = entry.startedAt ?? run.startedAtMs;
  return {
    ...entry,
    status: outcome === "interrupted" ? "failed" : outcome,
    endedAt: now,
    ...(startedAt === undefined ? {} : { runtimeMs: Math.max(0, now - startedAt) }),
    updatedAt: now,
  };
}
