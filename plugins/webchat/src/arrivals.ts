/**
 * Messages that are just being stored, by peer. An answer can be ready before the caller of `receive` has gone on; it
 * waits here, so that no reader sees it above its question.
 */
export class Arrivals {
  readonly #underWay = new Map<string, Set<Promise<void>>>();

  /** Runs `arrive`, and lets answers of the peer wait until it has settled. */
  async follow<Result>(peer: string, arrive: () => Promise<Result>): Promise<Result> {
    const end = Promise.withResolvers<void>();
    const arrivals = this.#underWay.get(peer) ?? new Set();
    this.#underWay.set(peer, arrivals.add(end.promise));
    try {
      return await arrive();
    } finally {
      end.resolve();
      arrivals.delete(end.promise);
      if (arrivals.size === 0) this.#underWay.delete(peer);
    }
  }

  /** Resolves when everything that was under way at the call has settled. */
  async settled(peer: string): Promise<void> {
    await Promise.all(this.#underWay.get(peer) ?? []);
  }
}
