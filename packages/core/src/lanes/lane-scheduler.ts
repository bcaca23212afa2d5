import type { Claim, Store } from "@banyan/plugin-sdk/store";
import { commitStep } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";

/** Turns under way at once. Beyond it lanes wait in the order they became ready, so that none is passed over. */
const MOST_RUNNING_LANES = 1_000;
const PAGE_LANES = 1_000;
/** Above the attempts after which a turn is set aside: setting aside itself fails, so the lane is left as it is. */
const MOST_HOST_FAILURES = 6;

export interface LaneSchedulerParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  /** Runs one claimed turn to its commit; resolves with the number of items left in the lane. */
  runTurn(claim: Claim): Promise<number>;
  findRevision(lane: string): number | undefined;
}

/** Runs lanes: at most one turn of each at a time, as many lanes beside each other as there is room for. */
export interface LaneScheduler {
  /** Whether a receive may claim at once. */
  readonly hasRoom: boolean;
  /** A lane was claimed for this process: its turn begins. */
  begin(claim: Claim): void;
  /** A lane may have something to do. */
  wake(lane: string): void;
  /** Takes up every lane that waits in the store. */
  resume(): Promise<void>;
  /** Begins nothing new; resolves when no turn is under way. */
  close(): Promise<void>;
}

export function createLaneScheduler(parts: LaneSchedulerParts): LaneScheduler {
  const running = new Set<string>();
  const ready = new Set<string>();
  let isClosed = false;
  let whenIdle: (() => void)[] = [];

  const run = async (lane: string, turn: () => Promise<number>) => {
    running.add(lane);
    try {
      if ((await turn()) > 0) ready.add(lane);
    } catch (error) {
      parts.ports.log.error({ err: error, lane }, "a turn failed in the host; its message waits in its lane");
    }
    running.delete(lane);
    pump();
    if (running.size === 0) for (const resolve of whenIdle.splice(0)) resolve();
  };

  const claimAndRun = async (lane: string): Promise<number> => {
    const knownRevision = parts.findRevision(lane);
    parts.ports.faultPoint("T2.before");
    const claimed = await commitStep(parts.store, {
      step: "claim",
      lane,
      owner: parts.owner,
      claimId: parts.ports.createId(),
      ...(knownRevision === undefined ? {} : { knownRevision }),
    });
    parts.ports.faultPoint("T2.after");
    return claimed.status === "done" ? runClaim(claimed.claim) : 0;
  };

  /** A turn that fails in the host itself is given back, so that its lane goes on; its attempts are counted. */
  const runClaim = async (claim: Claim): Promise<number> => {
    try {
      return await parts.runTurn(claim);
    } catch (error) {
      const { lane, epoch } = claim;
      parts.ports.log.error({ err: error, lane, attempt: claim.item.attempt }, "a turn failed in the host");
      const released = await commitStep(parts.store, { step: "release", lane, epoch, giveBackAttempt: false });
      return released.status === "done" && claim.item.attempt < MOST_HOST_FAILURES ? 1 : 0;
    }
  };

  const pump = () => {
    for (const lane of ready) {
      if (isClosed || running.size >= MOST_RUNNING_LANES) return;
      if (running.has(lane)) continue;
      ready.delete(lane);
      run(lane, () => claimAndRun(lane));
    }
  };

  return {
    get hasRoom() {
      return !isClosed && ready.size === 0 && running.size < MOST_RUNNING_LANES;
    },
    begin(claim) {
      run(claim.lane, () => runClaim(claim));
    },
    wake(lane) {
      ready.add(lane);
      pump();
    },
    async resume() {
      for (let afterSeq = 0; ; ) {
        const page = await parts.store.read.readyLanes({ afterSeq, limit: PAGE_LANES });
        for (const { lane, firstSeq } of page) {
          afterSeq = firstSeq;
          ready.add(lane);
        }
        if (page.length < PAGE_LANES) break;
      }
      pump();
    },
    async close() {
      isClosed = true;
      ready.clear();
      if (running.size > 0) await new Promise<void>((resolve) => whenIdle.push(resolve));
      whenIdle = [];
    },
  };
}
