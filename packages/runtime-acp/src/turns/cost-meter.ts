/**
 * What a turn has cost. An agent tells what its whole session has cost so far, so a turn is what came on top; one that was
 * started again may count from nothing.
 */
export class CostMeter {
  #spentUsd: number | undefined;
  #costUsd: number | undefined;

  /** `spentUsd`: what the session had cost before, where that is known. */
  constructor(spentUsd: number | undefined) {
    this.#spentUsd = spentUsd;
  }

  /** Of the session, by the agent's last word. */
  get spentUsd(): number | undefined {
    return this.#spentUsd;
  }

  /** Of the turn; absent: nobody has told. */
  get costUsd(): number | undefined {
    return this.#costUsd;
  }

  note(totalUsd: number): void {
    const before = this.#spentUsd ?? 0;
    this.#costUsd = (this.#costUsd ?? 0) + (totalUsd >= before ? totalUsd - before : totalUsd);
    this.#spentUsd = totalUsd;
  }
}
