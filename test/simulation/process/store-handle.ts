import { type Step, type StepResult, type StepResults, type Store, StoreError } from "@banyan/store";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";

const COMMIT_MS = 4;
const READ_MS = 2;

interface StoreClient extends Guest {
  die(): void;
}

interface Sent {
  readonly step: Step;
  readonly answer: PromiseWithResolvers<StepResults[keyof StepResults]>;
}

/**
 * One process's way to the store that outlives it: steps take time and are written in the order they were sent. When
 * the process dies, the first few of those on their way are still written and nobody hears of it.
 */
export function createStoreHandle(ground: Ground, process: StoreClient): Store & { sever(): void } {
  const inner = ground.store.createStore(ground.clock);
  const onTheirWay: Sent[] = [];
  let freeAtMs = 0;
  let isClosed = false;

  function sendStep(step: Step): Promise<StepResults[keyof StepResults]> {
    const { clock, random } = ground;
    const answer = Promise.withResolvers<StepResults[keyof StepResults]>();
    if (process.isDead) return answer.promise;
    if (isClosed) return Promise.reject(new StoreError("closed", "The store was closed."));
    const sent = { step, answer };
    onTheirWay.push(sent);
    freeAtMs = Math.max(freeAtMs, clock.monotonic() + random.next() * COMMIT_MS);
    clock.schedule(freeAtMs - clock.monotonic(), () => write(sent));
    return answer.promise;
  }

  function write(sent: Sent): void {
    const { step, answer } = sent;
    const place = onTheirWay.indexOf(sent);
    if (place < 0) return;
    onTheirWay.splice(place, 1);
    const fault = process.isDead ? undefined : ground.takeCommitFault(step.step);
    if (fault !== undefined) ground.trace.tell(() => `  ! ${step.step} ${fault}`);
    if (fault === "crash_before") process.die();
    else if (fault === "full") reject(answer, new StoreError("full", "No space is left; free some."));
    else if (fault === "unknown_before") reject(answer, unknown());
    else {
      void apply(ground, process, inner, step).then((result) => {
        if (fault === "crash_after") process.die();
        else if (fault === "unknown_after") reject(answer, unknown());
        else process.enter(() => answer.resolve(result));
      }, answer.reject);
    }
  }

  /** One by one, so that whoever watches sees each as it was written. */
  async function writeUnheard(left: readonly Sent[]): Promise<void> {
    for (const { step } of left) await apply(ground, process, inner, step).catch(() => undefined);
  }

  function reject(answer: Sent["answer"], error: StoreError): void {
    process.enter(() => answer.reject(error));
  }

  function commit<S extends Step>(step: S): Promise<StepResult<S>>;
  function commit(step: Step): Promise<StepResults[keyof StepResults]> {
    return sendStep(step);
  }

  return {
    driver: "simulation",
    commit,
    read: slowDown(ground, process, inner.read),
    onFailure: () => undefined,
    async close() {
      isClosed = true;
    },
    sever() {
      const written = ground.random.between(0, onTheirWay.length);
      void writeUnheard(onTheirWay.splice(0).slice(0, written));
    },
  };
}

function unknown(): StoreError {
  return new StoreError("commit_unknown", "No answer; send the same step again.");
}

async function apply(
  ground: Ground,
  process: StoreClient,
  inner: Store,
  step: Step,
): Promise<StepResults[keyof StepResults]> {
  const result: StepResults[keyof StepResults] = await inner.commit(step).catch((error: Error) => {
    ground.break("store", `${error.message}: ${JSON.stringify(step)}`);
    throw error;
  });
  ground.trace.tell(() => `  #${process.number} ${step.step} ${describe(step)} → ${result.status}`);
  ground.observe({ type: "step", process, step, result, runs: ground.runLedger.listChanges() });
  return result;
}

function describe(step: Step): string {
  switch (step.step) {
    case "receive":
      return step.items.map(({ nativeId, kind }) => `${kind} ${nativeId}`).join(", ");
    case "settle":
      return `${step.id} ${step.outcome.state}`;
    case "attempt":
      return `${step.id} (${step.attempt})`;
    case "commit_turn":
      return `${step.lane} epoch ${step.epoch} item ${step.items.join()} deliveries ${step.deliveries.map(({ id }) => id).join()}${step.run === undefined ? "" : ` of ${step.run.runId}`}`;
    case "claim":
      return step.lane;
    case "command":
    case "release":
    case "suspicion":
      return step.lane;
    case "reserve_run":
      return `${step.run.runId} for ${step.run.requesterSessionKey}`;
    case "accept_run":
    case "undo_run":
    case "announce_run":
    case "archive_run":
      return step.runId;
    case "end_runs":
      return step.ends.map(({ runId, endedReason }) => `${runId} ${endedReason}`).join();
    case "append_entries":
      return `${step.entries.map(({ id }) => id).join()} to ${step.sessionKey} (${step.sessionId})`;
    case "set_timers":
      return `${step.fired?.id ?? ""} arms ${step.arm.map(({ id }) => id).join()}`;
    case "enqueue":
      return `${step.item.kind} for ${step.item.lane}`;
    case "archive_session":
      return step.key;
    case "migrate_chat":
      return `${step.move.fromChat} to ${step.move.toChat}: ${step.sessions.map(({ from, to }) => `${from} to ${to}`).join()}`;
    case "rekey":
      return `${step.move.from} to ${step.move.to}`;
    case "set_links":
      return step.writes.map(({ peer, person }) => `${peer}=${person}`).join();
    case "settle_pairing":
      return `${step.senderId} ${step.to}`;
    default:
      return "";
  }
}

/** Most reads are answered at once; some take as long as a commit, so that the world moves on under the reader. */
function slowDown(ground: Ground, process: Guest, reads: Store["read"]): Store["read"] {
  function slow<Query extends readonly unknown[], Row>(read: (...query: Query) => Promise<Row>) {
    return (...query: Query): Promise<Row> => {
      if (process.isDead) return new Promise(() => undefined);
      if (!ground.random.chance(0.3)) return read(...query);
      const answer = Promise.withResolvers<Row>();
      ground.clock.schedule(ground.random.next() * READ_MS, () => process.enter(() => answer.resolve(read(...query))));
      return answer.promise;
    };
  }
  return {
    session: slow((key) => reads.session(key)),
    sessionById: (id) => reads.sessionById(id),
    sessionByFile: (agentId, file) => reads.sessionByFile(agentId, file),
    sessions: slow((query) => reads.sessions(query)),
    entries: slow((query) => reads.entries(query)),
    entriesOfItem: slow((query) => reads.entriesOfItem(query)),
    lane: slow((lane) => reads.lane(lane)),
    item: slow((seq) => reads.item(seq)),
    itemByDedupe: slow((dedupe) => reads.itemByDedupe(dedupe)),
    openItems: slow((query) => reads.openItems(query)),
    run: slow((runId) => reads.run(runId)),
    runByDedupe: slow((dedupe) => reads.runByDedupe(dedupe)),
    runs: slow((query) => reads.runs(query)),
    unfinishedRuns: slow((query) => reads.unfinishedRuns(query)),
    timers: slow((query) => reads.timers(query)),
    bindings: slow((query) => reads.bindings(query)),
    readyLanes: slow((query) => reads.readyLanes(query)),
    waitingCommands: slow((query) => reads.waitingCommands(query)),
    deliveries: slow((query) => reads.deliveries(query)),
    delivery: slow((id) => reads.delivery(id)),
    claimant: slow((id) => reads.claimant(id)),
    receipts: slow((query) => reads.receipts(query)),
    history: slow((query) => reads.history(query)),
    cursor: (channel, account) => reads.cursor(channel, account),
    dayUsed: slow((query) => reads.dayUsed(query)),
    writers: slow((key) => reads.writers(key)),
    routes: slow(() => reads.routes()),
    pairings: slow((query) => reads.pairings(query)),
    linkDesk: slow((query) => reads.linkDesk(query)),
    audit: slow((query) => reads.audit(query)),
    counts: slow(() => reads.counts()),
  };
}
