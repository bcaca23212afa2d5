/** What deaths of the process mean for the turns that were active. Pure; drivers and core decide by it alike. */
import type { ItemRow } from "./rows.ts";

/** Deaths in a row, without progress between them, that make a turn a suspect. */
const DEATHS_OF_SUSPECT = 2;

type Counts = Pick<ItemRow, "attempt" | "deaths">;

/** Whether the item's turn must not run while another suspect does. An item that asks no agent is never one. */
export function isSuspect({ deaths = 0, wake }: Pick<ItemRow, "deaths" | "wake">): boolean {
  return deaths >= DEATHS_OF_SUSPECT && wake !== "append";
}

/** The counts after the process died while the item was active: only a suspect loses an attempt. */
export function decideDeath(item: Counts & Pick<ItemRow, "wake">): Required<Counts> {
  const { attempt, deaths = 0 } = item;
  return { attempt: isSuspect(item) ? attempt : attempt - 1, deaths: deaths + 1 };
}

/** The counts after progress of the active item: it is no suspect, and has back the attempts that it lost as one. */
export function decideProgress({ attempt, deaths = 0 }: Counts): Required<Counts> {
  return { attempt: attempt - Math.max(0, deaths - DEATHS_OF_SUSPECT), deaths: 0 };
}

/** The deaths of a waiting item that the active one takes along: both become suspects together. */
export function decideShared({ deaths = 0 }: Pick<ItemRow, "deaths">, active: Pick<ItemRow, "deaths">): number {
  return Math.max(deaths, (active.deaths ?? 0) + 1);
}

/** How often the item's turn has started since it last made progress, this start included. */
export function countStarts({ attempt, deaths = 0 }: Counts): number {
  return attempt + Math.min(deaths, DEATHS_OF_SUSPECT);
}
