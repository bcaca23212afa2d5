/** Worlds that are staged beside their plan, without a draw, so that no plan changes by it. */
import type { Errand } from "../agents/errand.ts";
import { PEOPLE } from "./person.ts";
import type { WorldEvent } from "./world-event.ts";

/**
 * `poison`: the first message ends the process whenever its turn runs, `poisoned task`: so does the task that it gives a
 * sub-agent. `kills`: every third event is followed by a kill, twenty in 60 events, while the first message is worked on.
 */
export type Staging = "poison" | "poisoned task" | "kills";

const STAGED_SEEDS: Readonly<Record<number, Staging>> = { 2: "poison", 5: "kills", 8: "poisoned task" };
const ERRANDS: Readonly<Record<Staging, Errand>> = {
  poison: { mood: "poison" },
  "poisoned task": { mood: "echo", children: [{ mood: "poison" }] },
  kills: { mood: "walk" },
};
const TEXT = "hello #m";
const KILL_EVERY_EVENTS = 3;
/** Before a kill: long enough for a restart and for the turns that begin with it. */
export const BEFORE_KILL_MS = 12_000;

export function chooseStaging(
  seed: number,
  { needsStaging, name }: { readonly needsStaging?: Staging; readonly name: string },
): Staging | undefined {
  return needsStaging ?? (name === "none" ? STAGED_SEEDS[seed % 9] : undefined);
}

/**
 * The plan of the world as it is staged; its events keep their places. Where nobody says what can be staged, somebody does
 * instead of the first event: no staged world is played without its errand.
 */
export function stagePlan(plan: readonly WorldEvent[], staging: Staging | undefined): readonly WorldEvent[] {
  const [first] = plan;
  const [person] = PEOPLE;
  if (staging === undefined || first === undefined || person === undefined) return plan;
  const errand = ERRANDS[staging];
  const at = plan.findIndex((event) => event.kind === "says" && event.text === TEXT);
  return plan.map((event, place): WorldEvent => {
    if (place === at && event.kind === "says") return { ...event, errand };
    if (at === -1 && place === 0) return { afterMs: first.afterMs, kind: "says", person, text: TEXT, errand };
    return event;
  });
}

export function isKilledAfter(place: number, staging: Staging | undefined): boolean {
  return staging === "kills" && place % KILL_EVERY_EVENTS === KILL_EVERY_EVENTS - 1;
}
