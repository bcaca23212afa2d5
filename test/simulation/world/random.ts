/** Random numbers by a seed: the same seed, the same numbers. Statistics beyond a fair draw do not matter here. */
export class Random {
  #state: number;

  constructor(seed: number) {
    // A small seed must not begin with small numbers.
    this.#state = (Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ 0x27d4eb2f) >>> 0;
    for (let round = 0; round < 4; round += 1) this.next();
  }

  /** At least 0, below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const chosen = list[Math.floor(this.next() * list.length)];
    if (chosen === undefined) throw new RangeError("A value was drawn: the list is empty; give it one");
    return chosen;
  }

  /** One of the names, as often as its weight says. */
  weigh<Name extends string>(weights: ReadonlyMap<Name, number>): Name {
    let left = this.next() * [...weights.values()].reduce((sum, weight) => sum + weight, 0);
    for (const [name, weight] of weights) {
      left -= weight;
      if (left < 0) return name;
    }
    return this.pick([...weights.keys()]);
  }

  uuid(): string {
    return `${this.#hex(8)}-${this.#hex(4)}-4${this.#hex(3)}-8${this.#hex(3)}-${this.#hex(12)}`;
  }

  #hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += Math.floor(this.next() * 16).toString(16);
    return text;
  }
}
