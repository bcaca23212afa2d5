/** Deaths while an album of three photos comes: it is one turn with all of them, whichever life has seen which. */
import assert from "node:assert/strict";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";
import { inPostedWorld } from "./webhook-story.ts";

const PATIENCE_MS = 60_000;
const PHOTOS = [{ name: "oak.jpg" }, { name: "elm.jpg" }, { name: "yew.jpg" }] as const;
const ANSWER = /^heard: look \(3 files\)$/;
const AGENTS = { agents: { main: { runtime: "tree", default: true } } };

/** How an album comes, and where its process dies: a point that is surely passed. */
export interface AlbumDeath {
  readonly by: "polling" | "webhook";
  readonly plan: KillPlan;
}

/** Polled, it is stored in one write. Posted, each piece is, and their one message behind them. */
export const ALBUM_DEATHS: readonly AlbumDeath[] = [
  ...listDeaths("polling", [
    ["inbound.parsed", [1]],
    ["T0.before", [1]],
    ["T0.after", [1]],
    ["T3.before", [1]],
    ["T3.after", [1]],
    ["T6.before", [1]],
    ["T6.after", [1]],
  ]),
  ...listDeaths("webhook", [
    ["inbound.parsed", [1, 2, 3, 4]],
    ["T0.before", [1, 2, 3, 4]],
    ["T0.after", [1, 2, 3, 4]],
    ["T3.before", [1]],
    ["T3.after", [1]],
    ["T6.before", [1]],
    ["T6.after", [1]],
  ]),
];

function listDeaths(
  by: AlbumDeath["by"],
  points: readonly (readonly [point: string, hits: readonly number[]])[],
): readonly AlbumDeath[] {
  return points.flatMap(([point, hits]) => hits.map((hit) => ({ by, plan: { point, hit } })));
}

export function nameAlbumDeath({ by, plan: { point, hit } }: AlbumDeath): string {
  return `photos by ${by}: ${point} (${hit})`;
}

export async function tellAlbumDeath({ by, plan }: AlbumDeath): Promise<void> {
  const tell = (world: CrashWorld) => tellPhotos(world, plan);
  if (by === "webhook") return inPostedWorld(AGENTS, {}, tell);
  const world = await CrashWorld.open([], AGENTS);
  try {
    await tell(world);
  } finally {
    await world.close();
  }
}

async function tellPhotos(world: CrashWorld, plan: KillPlan): Promise<void> {
  await world.ada.sendsAlbum(PHOTOS, "look");
  const gateway = await world.start(plan);
  await gateway.died(`${plan.point} (${plan.hit})`);
  await world.start();
  await world.ada.hears(({ text }) => ANSWER.test(unmark(text)), { timeoutMs: PATIENCE_MS });
  await world.rests();
  const messages = (await world.ada.messages()).map(({ text }) => text);
  const copies = messages.filter((text) => text === unmark(text));
  const isRight = messages.every((text) => ANSWER.test(unmark(text))) && copies.length <= 1;
  assert.ok(isRight, `not one answer to all three photos:\n${messages.join("\n")}\n${world.log}`);
  await world.stop();
}

function unmark(text: string): string {
  return text.replace(/^\(may be repeated\)\n/, "");
}
