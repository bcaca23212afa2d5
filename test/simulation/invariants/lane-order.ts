import type { Claim, CommitTurnStep } from "@banyan/store";
import type { Observation } from "../world/observation.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";
import { isReceived, listLaneMoves } from "./written.ts";

/** I4: at most one turn commits per item. */
export function createOneTurn(): Invariant {
  const ended = new Map<number, number>();
  return {
    name: "I4",
    observe(seen) {
      if (seen.type !== "step" || seen.step.step !== "commit_turn" || seen.result.status !== "done") return undefined;
      const { items, epoch, lane } = seen.step;
      for (const seq of items) {
        const earlier = ended.get(seq);
        if (earlier !== undefined)
          return `two turns commit item ${seq} of ${lane}, in the epochs ${earlier} and ${epoch}`;
        ended.set(seq, epoch);
      }
      return undefined;
    },
  };
}

/**
 * I5: the items of a lane are committed in their order, none is passed over. What was held for others is dispatched when
 * these are there, and only then has a place among the rest. Where messages interrupt, one goes before the results that wait
 * for its own conversation, and behind a turn that was cut off before all that is no message.
 */
export function createLaneOrder(isInterrupting: boolean): Invariant {
  const wasHeld = listHeld();
  const passing = listPassing();
  const latest = new Map<string, number>();
  /** The epoch that ran when a lane was given what had waited in another one. */
  const joined = new Map<string, number>();
  return {
    name: "I5",
    observe(seen, { data }) {
      if (seen.type !== "step" || seen.result.status !== "done") return undefined;
      const held = wasHeld(data);
      // What a move brings in may be older than what the lane has committed; what waits is still in order.
      for (const { to } of listLaneMoves(seen.step)) {
        latest.delete(to);
        joined.set(to, data.lanes.get(to)?.epoch ?? 0);
      }
      if (seen.step.step !== "commit_turn") return undefined;
      const { items, lane } = seen.step;
      const [seq = 0] = items;
      // This turn had begun before the others came in.
      if (seen.step.epoch <= (joined.get(lane) ?? -1)) return undefined;
      const before = latest.get(lane) ?? 0;
      const passes = isInterrupting ? passing(seen.step, data) : PASSES_NOTHING;
      if (held.has(seq)) return undefined;
      if (seq <= before && !passes.wasPassed) return `item ${seq} of ${lane} is committed behind item ${before}`;
      latest.set(lane, Math.max(seq, before));
      const passed = data.lanes
        .get(lane)
        ?.queue.find((waiting) => waiting < seq && !held.has(waiting) && !passes.seqs.has(waiting));
      return passed === undefined ? undefined : `item ${seq} of ${lane} is committed while item ${passed} waits`;
    },
  };
}

interface Passes {
  /** What this turn goes before. */
  readonly seqs: ReadonlySet<number>;
  /** An earlier turn went before this one. */
  readonly wasPassed: boolean;
}

const PASSES_NOTHING: Passes = { seqs: new Set(), wasPassed: false };

/** What may wait behind a message that came later; to be asked with each end of a turn. */
function listPassing(): (step: CommitTurnStep, data: StoreMirror) => Passes {
  const ever = new Set<number>();
  /** Lanes whose latest turn has left the state of one that was cut off. */
  const cut = new Set<string>();
  return ({ items: [seq = 0], lane, session }, { items, lanes }) => {
    const isBehindCut = cut.has(lane);
    if (session.body.includes('"interruption":{')) cut.add(lane);
    else cut.delete(lane);
    const isMessage = items.get(seq)?.row.kind === "message";
    const seqs = (isMessage ? (lanes.get(lane)?.queue ?? []) : []).filter((waiting) => {
      const { kind, runId } = items.get(waiting)?.row ?? {};
      return waiting < seq && (isBehindCut ? kind !== "message" : kind === "completion" && runId === undefined);
    });
    for (const passed of seqs) ever.add(passed);
    return { seqs: new Set(seqs), wasPassed: ever.has(seq) };
  };
}

/** All items that were ever held; to be asked with each step. */
function listHeld(): (data: StoreMirror) => ReadonlySet<number> {
  const held = new Set<number>();
  return ({ runs }) => {
    for (const seqs of runs.heldItems.values()) for (const seq of seqs) held.add(seq);
    return held;
  };
}

interface Holder {
  readonly epoch: number;
  readonly process: number;
}

/** I6: an epoch never falls, and what a turn writes carries the present one. I7: nobody writes under another's claim. */
export function createLaneFence(): readonly Invariant[] {
  const holders = new Map<string, Holder>();
  const highest = new Map<string, number>();
  return [
    {
      name: "I6",
      observe(seen, { data }) {
        if (seen.type !== "step") return undefined;
        for (const { lane, epoch } of listClaims(seen)) {
          const before = highest.get(lane) ?? 0;
          if (epoch < before) return `the epoch of ${lane} falls from ${before} to ${epoch}`;
          highest.set(lane, epoch);
        }
        if (!isTurnWrite(seen)) return undefined;
        const { lane, epoch } = seen.step;
        const present = data.lanes.get(lane)?.epoch;
        return epoch === present
          ? undefined
          : `a turn of epoch ${epoch} writes into ${lane}, whose epoch is ${present}`;
      },
    },
    {
      name: "I7",
      observe(seen) {
        if (seen.type !== "step") return undefined;
        const { number } = seen.process;
        for (const { lane, epoch } of listClaims(seen)) {
          const holder = holders.get(lane);
          if (holder?.epoch === epoch && holder.process !== number)
            return `#${holder.process} and #${number} hold epoch ${epoch} of ${lane}`;
          holders.set(lane, { epoch, process: number });
        }
        if (!isTurnWrite(seen)) return undefined;
        const { lane } = seen.step;
        const holder = holders.get(lane);
        return holder?.process === number
          ? undefined
          : `#${number} writes into ${lane}, which #${holder?.process} holds`;
      },
    },
  ];
}

type Stepped = Extract<Observation, { readonly type: "step" }>;

export function listClaims({ step, result }: Stepped): readonly Claim[] {
  if (result.status !== "done") return [];
  if (step.step === "claim" && "claim" in result) return [result.claim];
  if (step.step !== "receive" || !isReceived(result)) return [];
  return result.items.flatMap(({ claim }) => (claim === undefined ? [] : [claim]));
}

function isTurnWrite(seen: Stepped): seen is Stepped & {
  readonly step: Extract<Stepped["step"], { readonly step: "commit_turn" | "tool_result" }>;
} {
  const { step, result } = seen;
  return (step.step === "commit_turn" || step.step === "tool_result") && result.status === "done";
}
