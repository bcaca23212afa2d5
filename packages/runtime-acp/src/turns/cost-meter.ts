import type { Usage } from "@banyan/plugin-sdk";

/**
 * What a turn has cost. An agent tells what its whole session has cost so far, so a turn is what came on top of what is
 * counted. The total goes with the turn's cost (`Usage.spentUsd`), and whoever counts the one keeps the other in the same
 * step; so no total is counted twice, and one that was never counted is in the next.
 *
 * What cannot be known is counted too little, never twice, but for the last:
 * - Nobody has kept what a session had cost (it is older than this meter): the first total is where counting begins.
 * - An agent that was started again counts on, or from nothing. A total below what is counted is one from nothing; where the
 *   first one it tells is above, what it had told before is missing.
 * - A turn whose session is lost with its process: what was spent and not told.
 * - A total that is below the last and says by no tag that it came late is taken for one from nothing, and counted whole.
 */
export class CostMeter {
  #spentUsd: number | undefined;
  #costUsd: number | undefined;
  #hasHeard = false;

  /** `countedUsd`: up to which total the session's cost is counted; `undefined`: nobody knows. */
  constructor(countedUsd: number | undefined) {
    this.#spentUsd = countedUsd;
  }

  /** What is to be counted of it; empty where the agent has told nothing. */
  get report(): Pick<Usage, "costUsd" | "spentUsd"> {
    if (!this.#hasHeard || this.#spentUsd === undefined) return {};
    return { ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }), spentUsd: this.#spentUsd };
  }

  /** `isLate`: it may be older than what was told since. */
  note(totalUsd: number, isLate = false): void {
    const before = this.#spentUsd;
    if (isLate && before !== undefined && totalUsd <= before) return;
    this.#hasHeard = true;
    this.#spentUsd = totalUsd;
    if (before === undefined) return;
    this.#costUsd = (this.#costUsd ?? 0) + (totalUsd >= before ? totalUsd - before : totalUsd);
  }
}
