import type { ClaimStep, Step, StepResult, Store } from "@banyan/store";
import { openSqliteStore } from "@banyan/store-sqlite";
import { buildDelivery, buildEntry, buildItem, buildWrite, copyPattern } from "./past-run.ts";
import { type RunPattern, recordRunPattern } from "./run-pattern.ts";

/** Of one person; as many of their completions one turn writes down. */
const RUNS_EACH = 50;
/** People whose runs are written beside each other, so that the store's batches are full. */
const AT_ONCE = 64;
const ARCHIVE_MS = 3_600_000;

/**
 * Writes so many finished runs into a store by the very steps of a gateway: reserved, accepted, claimed, ended, told to
 * their chats and to their requesters. Each has a session of its own.
 */
export async function fillPast(stateDir: string, runs: number): Promise<void> {
  const pattern = await recordRunPattern();
  const store = await openSqliteStore({ stateDir, readable: true });
  const people = Math.ceil(runs / RUNS_EACH);
  let next = 0;
  const work = async () => {
    for (let person = next++; person < people; person = next++) {
      await writePerson(store, pattern, { person, runs: Math.min(RUNS_EACH, runs - person * RUNS_EACH) });
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  } finally {
    await store.close();
  }
}

async function writePerson(
  store: Store,
  pattern: RunPattern,
  { person, runs }: { readonly person: number; readonly runs: number },
): Promise<void> {
  const copies = Array.from({ length: runs }, (_, run) => {
    const name = (person * RUNS_EACH + run).toString(16).padStart(6, "0");
    return copyPattern(pattern, name, `past-${person}`);
  });
  const [first] = copies;
  if (first === undefined) return;
  const session = { ...first.requester, sessionId: `${first.requester.sessionId}-${person}` };
  await write(store, { step: "write_session", writeId: `past-${person}`, session: buildWrite(session, 0) });
  for (const copy of copies) await writeRun(store, copy);
  // The requester's turn that writes all of them down.
  const { claim } = await claimLane(store, session.key);
  const waiting = await store.read.openItems({ lane: session.key, kinds: ["completion"], limit: RUNS_EACH });
  const rest = waiting.map(({ seq }) => seq).filter((seq) => seq !== claim.item.seq);
  await write(store, {
    step: "commit_turn",
    lane: session.key,
    epoch: claim.epoch,
    items: [claim.item.seq, ...rest],
    itemState: "done",
    entries: copies.map(({ told }) => buildEntry(told)),
    session: buildWrite(session, 1),
    deliveries: [],
  });
}

async function writeRun(store: Store, copy: RunPattern): Promise<void> {
  const { run, task, child, entries, completion, delivery } = copy;
  const { runId, childSessionKey, requesterSessionKey, rootSessionKey, isAwaited, route, body } = run;
  const dedupe = `spawn|${runId}|0`;
  const keys = { childSessionKey, requesterSessionKey, rootSessionKey };
  await write(store, {
    step: "reserve_run",
    run: { runId, dedupe, ...keys, isAwaited, route, body },
    mostChildren: RUNS_EACH,
    mostTreeRuns: RUNS_EACH,
  });
  const timer = { id: `archive|${runId}`, kind: "archive", subject: runId, dueInMs: ARCHIVE_MS };
  await write(store, {
    step: "accept_run",
    runId,
    session: buildWrite(child, 0),
    item: buildItem(task, `task|${runId}`),
    timers: [timer],
    body,
  });
  const { claim } = await claimLane(store, childSessionKey);
  const { endedReason = "complete", result = "{}", target = route, settledBy = "host" } = run;
  const end = {
    runId,
    endedReason,
    result,
    target,
    completion: buildItem(completion, `completion|${runId}`),
    settledBy,
    deliveries: [buildDelivery(delivery)],
    timers: [],
    endTimers: [],
  };
  await write(store, {
    step: "commit_turn",
    lane: childSessionKey,
    epoch: claim.epoch,
    items: [claim.item.seq],
    itemState: "done",
    entries: entries.map(buildEntry),
    session: buildWrite(child, 1),
    deliveries: [],
    run: { runId, mayWait: true, ends: [end], closed: [] },
  });
  await write(store, {
    step: "settle",
    id: delivery.id,
    attempt: 1,
    outcome: { state: "sent", platformId: delivery.id },
  });
}

async function claimLane(store: Store, lane: string): Promise<Extract<StepResult<ClaimStep>, { status: "done" }>> {
  const claimed = await store.commit({ step: "claim", lane, owner: "the-past", claimId: `claim ${lane}` });
  if (claimed.status !== "done") throw new Error(`a past run was written: its lane ${lane} gave no turn`);
  return claimed;
}

async function write(store: Store, step: Step): Promise<void> {
  const { status } = await store.commit(step);
  if (status !== "done") throw new Error(`a past run was written: the step ${step.step} was ${status}`);
}
