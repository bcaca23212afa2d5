import type { DeliveryRow } from "@banyan/store";
import { expect, test } from "vitest";
import type { Errand } from "./agents/errand.ts";
import { NO_DEFECT } from "./defects/defect.ts";
import { MAGPIE_PEOPLE } from "./events/person.ts";
import { createInvariants } from "./invariants/all-invariants.ts";
import type { Ground, GroundParts } from "./world/ground.ts";
import { World } from "./world/world.ts";
import { WorldLog } from "./world/world-log.ts";
import { StoreRoom } from "./world/world-store.ts";

/** All that a process passes on the way of one part into its chat, in order. */
const POINTS = [
  "T5.before",
  "T5.after",
  "placeholder.before",
  "placeholder.after",
  "anchor.before",
  "anchor.after",
  "tap.before",
  "tap.after",
  "T6.before",
  "T6.after",
] as const;
const PARTS = 3;
const MAGPIES = { "magpie/lake": "anchor", "magpie/wood": "anchor" } as const;
/** Its result takes three messages. */
const ERRAND: Errand = { mood: "no_reply", children: [{ mood: "long", terms: { announce: "direct" } }] };
const PATIENCE_MS = 60 * 60_000;

interface Place {
  readonly part: number;
  readonly point: (typeof POINTS)[number];
}

const PLACES: readonly Place[] = Array.from({ length: PARTS }, (_, part) =>
  POINTS.map((point) => ({ part, point })),
).flat();

// A fixed amount of work has no limit.
test("a result of three parts stands there once, whichever three moments a process dies at", {
  timeout: 0,
}, async () => {
  const grounds = { log: new WorldLog(), room: new StoreRoom() };
  let played = 0;
  let deaths = 0;
  for (const [first, one] of PLACES.entries())
    for (const [second, two] of PLACES.entries())
      for (const three of PLACES.slice(second)) {
        if (second < first) continue;
        played += 1;
        deaths += await play(played, [one, two, three], grounds);
      }
  expect(played).toBe((30 * 31 * 32) / 6);
  // Some moments do not come: who edits a message that stands there sends no other one.
  expect(deaths).toBeGreaterThan(played);
});

/** How many of the deaths came about. */
async function play(
  seed: number,
  places: readonly Place[],
  grounds: Pick<GroundParts, "log" | "room">,
): Promise<number> {
  const world = new World({
    ...{ seed, isTraced: false, defect: NO_DEFECT, hasGuild: false, magpies: MAGPIES },
    ...{ invariants: createInvariants(false, false), ...grounds },
  });
  const { ground, town } = world;
  for (const place of places) ground.faults.addPoint(place.point, "crash", () => isUnderWay(place, ground));
  const [mia] = MAGPIE_PEOPLE;
  if (mia === undefined) throw new Error("Somebody was looked up: nobody is there");
  town.says(mia, "hello #m", ERRAND);
  await world.pass(PATIENCE_MS, () => world.isQuiet && listParts(ground).length > 0);
  const deaths = places.length - ground.faults.waitingPoints;
  world.finish();
  const told = places.map(({ part, point }) => `part ${part} at ${point}`).join(", ");
  expect(ground.broken, told).toBeUndefined();
  expect(
    listParts(ground).map(({ state }) => state),
    told,
  ).toEqual(["sent", "sent", "sent"]);
  return deaths;
}

function isUnderWay({ part, point }: Place, ground: Ground): boolean {
  const parts = listParts(ground);
  const sent = parts.filter(({ state }) => state === "sent").length;
  return parts.length > 0 && (point === "T6.after" ? sent - 1 : sent) === part;
}

function listParts({ data }: Ground): readonly DeliveryRow[] {
  return [...data.deliveries.values()].flatMap(({ row }) => (row.kind === "completion" ? row : []));
}
