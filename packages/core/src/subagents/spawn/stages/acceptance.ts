import { parseAddress, type ThreadBinding } from "@banyan/plugin-sdk";
import type { AcceptRun, NewEntry } from "@banyan/store";
import { commitPatiently } from "../../../ports/commit-step.ts";
import { leaveOutSetBack } from "../../../sessions/set-back.ts";
import type { SubagentParts } from "../../subagent-parts.ts";
import { buildAcceptStep } from "../accept-step.ts";
import { buildGiver } from "../foreign/build-foreign.ts";
import { copyForkEntries } from "../fork-context.ts";
import type { ReadySpawn, SpawnAnswer, SpawnDraft } from "../spawn-draft.ts";
import type { Lineage } from "./lineage.ts";

const FORK_ENTRIES = 10_000;

export interface OpenedChild {
  readonly binding: ThreadBinding | undefined;
  readonly prompt: string;
  readonly lineage: Lineage;
  /** Of its reservation. */
  readonly createdAtMs: number;
}

/** What stage 16 is to write. */
export async function composeAcceptance(
  draft: SpawnDraft,
  child: OpenedChild,
  parts: SubagentParts,
): Promise<AcceptRun> {
  const { ports } = parts;
  const entries = await readForkEntries(draft, parts);
  return buildAcceptStep(draft, {
    ...child,
    entries,
    anchor: findAnchor(draft, parts),
    sessionId: ports.createUuid(),
    now: ports.clock.now(),
    threads: parts.getThreadRules(draft.asker.address),
  });
}

/**
 * Finds the message that shows the run from the start. If the end is announced by an edit, the message becomes the
 * announcement. If the channel detects repeats, the end is a separate message, and the answer to a person's command
 * shows the state and how to stop the run.
 */
function findAnchor({ asker, plan }: SpawnDraft, { getChannel, canEdit }: SubagentParts): string | undefined {
  if (!plan.body.expectsCompletionMessage || asker.isQuiet === true) return undefined;
  const { completionPolicy } = getChannel(asker.address);
  const isCommand = completionPolicy === "effectively-once" && asker.source === "command";
  const isShown = isCommand && canEdit(parseAddress(asker.address));
  return completionPolicy === "anchor" || isShown ? asker.anchor : undefined;
}

/**
 * Stage 16, T1, as a step of its own: `reserved → accepted` with the child's session, its first item, its timers and its
 * thread in one transaction. Answers only where it is not written.
 */
export async function acceptRun(
  { accept, draft }: ReadySpawn,
  parts: SubagentParts,
): Promise<Exclude<SpawnAnswer, { status: "accepted" }> | undefined> {
  const { store, ports, signal } = parts;
  // The turn was told that this failed, so it must not come true behind its back.
  if (draft.asker.signal?.aborted) {
    const error = "Spawning a sub-agent: the turn was stopped before it was open; spawn it again if it is still wanted";
    return { status: "error", code: "stopped", error };
  }
  ports.faultPoint("T1.before");
  const giver = findGiver(draft, parts);
  const { epoch } = draft.asker;
  const step = { step: "accept_run", ...accept, ...giver, ...(epoch === undefined ? {} : { epoch }) } as const;
  const accepted = await commitPatiently(store, step, ports, signal);
  ports.faultPoint("T1.after");
  if (accepted.status === "fenced" || accepted.status === "refused") {
    const reason = accepted.status === "fenced" ? "another process runs its turn" : accepted.reason;
    if (giver !== undefined && reason === "conflict") return answerTaken();
    const error = `Spawning a sub-agent: what asked for it has ended (${reason}); end your turn`;
    return { status: "error", code: "requester_ended", error };
  }
  if (accept.binding !== undefined) await parts.refreshRoutes();
  return undefined;
}

/** What a foreign agent's session is taken from. Refused as a conflict where its holder began to work meanwhile. */
function findGiver({ plan: { foreign } }: SpawnDraft, { ports }: SubagentParts) {
  if (foreign?.holder === undefined) return undefined;
  return { giver: buildGiver(foreign.holder, foreign.kept, ports.clock.now()) };
}

function answerTaken() {
  const error = "Spawning a sub-agent: the session that resumeSessionId names was changed concurrently; try again";
  return { status: "error", code: "resume_busy", error } as const;
}

async function readForkEntries(
  { world, plan }: SpawnDraft,
  { store, ports }: SubagentParts,
): Promise<readonly NewEntry[]> {
  if (!plan.isForked) return [];
  const { sessionId } = world.requester.entry;
  const rows = await store.read.entries({ sessionId, limit: FORK_ENTRIES, newest: true });
  return copyForkEntries(leaveOutSetBack(rows), ports.createId);
}
