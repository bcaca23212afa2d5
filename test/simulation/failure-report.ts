import { type Errand, formatErrand } from "./agents/errand.ts";
import type { Group } from "./events/group.ts";
import type { Person } from "./events/person.ts";
import { drawPlan } from "./events/plan.ts";
import type { WorldEvent } from "./events/world-event.ts";
import { minimise } from "./minimise.ts";
import { runSeed, type SeedOptions } from "./run-seed.ts";
import type { Break } from "./world/ground.ts";

const MOST_LINES = 120;

/** Everything that helps to understand a seed that breaks a promise. */
export async function reportFailure(options: SeedOptions, broken: Break): Promise<string> {
  const { seed, events, defect } = options;
  const kept = await minimise(options, broken.invariant);
  const { trace } = await runSeed({ ...options, kept, isTraced: true });
  const plan = drawPlan(seed, events);
  const needed = [...kept].map((place) => `  ${String(place).padStart(3)}  ${describeEvent(plan[place])}`);
  const suffix = defect === undefined || defect.name === "none" ? "" : ` --defect ${defect.name}`;
  return [
    `Seed ${seed} breaks ${broken.invariant}: ${broken.sentence}`,
    `Again: pnpm simulate --seed ${seed} --events ${events}${suffix} --trace`,
    `${kept.size} of its ${events} events are enough:`,
    ...needed,
    `The end of the play:`,
    ...trace.slice(-MOST_LINES),
  ].join("\n");
}

type Detail = string | number | boolean | Errand | Person | Group | readonly Person[];

function describeEvent(event: WorldEvent | undefined): string {
  if (event === undefined) return "";
  const { kind, afterMs: _afterMs, ...rest } = event;
  const details = Object.entries(rest).map(([name, value]) => describeDetail(name, value));
  return `${kind} ${details.join(", ")}`;
}

function describeDetail(name: string, value: Detail): string {
  if (typeof value !== "object") return `${name} ${String(value)}`;
  if ("mood" in value) return formatErrand(value);
  if ("account" in value) return `${value.name} at ${value.account}`;
  return "name" in value ? value.name : value.map((each) => describeDetail("", each)).join(" and ");
}
