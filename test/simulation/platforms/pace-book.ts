import type { Address } from "@banyan/plugin-sdk";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";

const PACE_MS = 150;

/** A platform's published pace: one message in that time for each chat of a process. */
export class PaceBook {
  readonly #ground: Ground;
  readonly #nextPlaces = new Map<string, number>();

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** Takes the place, if there is one; else the milliseconds until there is. */
  ask(guest: Guest, address: Address): number {
    const { clock } = this.#ground;
    const key = `${guest.number} ${address}`;
    const waitMs = (this.#nextPlaces.get(key) ?? 0) - clock.monotonic();
    const isGranted = waitMs <= 0;
    if (isGranted) this.#nextPlaces.set(key, clock.monotonic() + PACE_MS);
    this.#ground.observe({ type: "paced", process: guest, address, isGranted });
    return Math.max(0, waitMs);
  }
}
