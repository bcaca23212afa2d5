import type { TurnInput } from "@banyan/plugin-sdk";
import { z } from "zod";

/** Which run of which turn something belongs to: the turn's id, and the epoch of its lane, which no other attempt has. */
export interface TurnTag {
  readonly run: string;
  readonly epoch: number;
}

/** Below `_meta`, which the protocol leaves to whoever speaks it: no other program's key. */
const echo = z.object({ banyan: z.object({ run: z.string(), epoch: z.number().int() }) });

export function buildTag({ turnId, epoch }: Pick<TurnInput, "turnId" | "epoch">): TurnTag {
  return { run: turnId, epoch };
}

/** As a prompt carries it. */
export function buildTagMeta({ run, epoch }: TurnTag): Readonly<Record<string, unknown>> {
  return { banyan: { run, epoch } };
}

/** As an agent sends it back with what it says; `undefined`: it does not, as most do not. */
export function parseTagMeta(meta: unknown): TurnTag | undefined {
  // Most agents send none, and there are many updates.
  return meta === undefined || meta === null ? undefined : echo.safeParse(meta).data?.banyan;
}

export function isSameTag(one: TurnTag | undefined, other: TurnTag): boolean {
  return one?.run === other.run && one.epoch === other.epoch;
}
