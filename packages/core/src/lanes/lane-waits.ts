/** Lanes whose turns wait for something of their own just now. */
export class LaneWaits {
  /** By lane, how much its turn waits for. */
  readonly #counts = new Map<string, number>();

  has(lane: string): boolean {
    return this.#counts.has(lane);
  }

  /** Resolves as the work does. */
  async during<Result>(lane: string, work: () => Promise<Result>): Promise<Result> {
    this.#counts.set(lane, (this.#counts.get(lane) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const others = (this.#counts.get(lane) ?? 1) - 1;
      if (others > 0) this.#counts.set(lane, others);
      else this.#counts.delete(lane);
    }
  }
}
