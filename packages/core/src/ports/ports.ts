import { randomBytes, randomUUID } from "node:crypto";
import type { Clock, FaultPoint, Log } from "@banyan/plugin-sdk";
import { createIdMaker } from "./ordered-id.ts";
import { createSystemClock } from "./system-clock.ts";

/** Everything the core takes from the world besides the store: an embedding program or a simulation passes its own. */
export interface Ports {
  readonly clock: Clock;
  /** A new id, unique for ever; later ones are greater. For rows. */
  readonly createId: () => string;
  /** A random uuid. For sessions, whose file names show the first eight characters, and for owners. */
  readonly createUuid: () => string;
  /** At least 0, below 1. */
  readonly random: () => number;
  /** Bytes that nobody can guess. For codes that let somebody in. */
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: Log;
  /** Takes registered secrets out of a text that people or files will hold. */
  readonly scrub: (text: string) => string;
  /** Returns how many characters at the end of a growing text may be the beginning of a registered secret. */
  readonly holdBack: (text: string) => number;
  readonly faultPoint: FaultPoint;
}

/** The machine's own ports; what is passed replaces a part. */
export function createPorts(parts: Partial<Ports> & Pick<Ports, "log">): Ports {
  const clock = parts.clock ?? createSystemClock();
  return {
    clock,
    createId: createIdMaker(() => clock.now()),
    createUuid: () => randomUUID(),
    random: Math.random,
    randomBytes: (count) => randomBytes(count),
    scrub: (text) => text,
    holdBack: () => 0,
    faultPoint: () => undefined,
    ...parts,
  };
}
