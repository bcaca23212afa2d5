import { isSuspect } from "@banyan/store";
import type { AgentMood } from "../agents/agent-mood.ts";
import type { Grounds, Invariant } from "./invariant.ts";
import { listClaims } from "./lane-order.ts";

const MOST_DEATHS = 5;
/** From then on a suspect keeps the next one waiting no longer. */
const LONG_MS = 60_000;
/** With the claim that finds it quarantined. */
const LEAST_CLAIMS = MOST_DEATHS + 1;
/** Turns that are at work as long as there are faults may be active at any number of deaths, and commit nothing. */
const ENDLESS: readonly (AgentMood | undefined)[] = ["poison", "hang", "deaf"];

/**
 * I26: a turn that ends the process is found within five deaths, suspects run one at a time, and no other turn is quarantined
 * unless it was cut off five times in a row without progress. `isStrict`: none is at all.
 */
export function createSuspects(isStrict: boolean): Invariant {
  const deaths = new Map<string, number>();
  const moods = new Map<number, AgentMood>();
  const claimedAtMs = new Map<number, number>();
  /** The item of each lane's latest claim, and those whose turns failed in the host, which costs an attempt as well. */
  const claimed = new Map<string, number>();
  const failed = new Set<number | undefined>();
  /** Of each item since its last progress, the claim that made it included. */
  const claims = new Map<number, number>();
  return {
    name: "I26",
    observe(seen, grounds) {
      if (seen.type === "turn") moods.set(readSeq(seen.turnId), seen.mood);
      if (seen.type === "poisoned" && seen.process.isLeader) {
        const count = (deaths.get(seen.turnId) ?? 0) + 1;
        deaths.set(seen.turnId, count);
        if (count > MOST_DEATHS) return `the turn ${seen.turnId} ends the process for the ${count}th time`;
      }
      if (seen.type !== "step" || seen.result.status !== "done") return undefined;
      const now = grounds.clock.monotonic();
      for (const { item } of listClaims(seen)) {
        claimed.set(item.lane, item.seq);
        claimedAtMs.set(item.seq, now);
        claims.set(item.seq, (claims.get(item.seq) ?? 0) + 1);
      }
      if (seen.step.step === "release" && !seen.step.giveBackAttempt) failed.add(claimed.get(seen.step.lane));
      if (seen.step.step === "tool_result" && seen.step.isNote !== true) claims.set(seen.step.itemSeq, 1);
      if (seen.step.step === "claim" || seen.step.step === "receive")
        return judgeActive(grounds, (seq) => now - (claimedAtMs.get(seq) ?? 0) < LONG_MS);
      if (seen.step.step !== "commit_turn" || seen.step.itemState !== "quarantined") return undefined;
      const [seq = 0] = seen.step.items;
      const isCutOften = !isStrict && (claims.get(seq) ?? 0) >= LEAST_CLAIMS;
      return failed.has(seq) || isCutOften || ENDLESS.includes(moods.get(seq))
        ? undefined
        : `item ${seq} is quarantined after ${claims.get(seq)} claims and ended no process`;
    },
  };
}

function readSeq(turnId: string): number {
  return Number(turnId.slice(turnId.lastIndexOf("#") + 1));
}

function judgeActive({ data }: Grounds, isShort: (seq: number) => boolean): string | undefined {
  const active = [...data.ownedLanes].flatMap((lane) => lane.active);
  const suspects = active.filter((seq) => isSuspect(data.items.get(seq)?.row ?? {}) && isShort(seq));
  return suspects.length > 1 ? `suspects are active at once: the items ${suspects.join(", ")}` : undefined;
}
