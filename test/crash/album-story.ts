/** Deaths while an album of three photos comes: it is one turn with all of them, whichever life has seen which. */
import assert from "node:assert/strict";
import { CrashWorld } from "./crash-world.ts";
import { thinOut } from "./drawn-sample.ts";
import type { KillPlan } from "./kill-plan.ts";
import { listPosted, postUntilTaken } from "./posted-updates.ts";
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

/** Posted pieces are noted; all are stored in a write without a message, and their one message in another. */
export const ALBUM_DEATHS: readonly AlbumDeath[] = [
  ...listDeaths("polling", [
    ["cursor.before", [1]],
    ["cursor.after", [1]],
    ["inbound.parsed", [1]],
    ["T0.before", [1]],
    ["T0.after", [1]],
    ["T3.before", [1]],
    ["T3.after", [1]],
    ["T6.before", [1]],
    ["T6.after", [1]],
  ]),
  ...listDeaths("webhook", [
    ["cursor.before", [1, 2, 3]],
    ["cursor.after", [1, 2, 3]],
    ["inbound.parsed", [1]],
    ["T0.before", [1]],
    ["T0.after", [1]],
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
  await checkOneAnswer(world);
}

async function checkOneAnswer(world: CrashWorld): Promise<void> {
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

/** An album that is cut off and comes again piece by piece, so many seconds of the gateway's time apart. */
export interface StretchedAlbum {
  readonly by: AlbumDeath["by"];
  readonly seconds: number;
  /** Where the first life dies, to which all pieces come at once, and those after it, to which they are posted in turn. */
  readonly deaths: readonly KillPlan[];
}

const POLLED: KillPlan = { point: "cursor.before", hit: 1 };
const UNSEEN: KillPlan = { point: "cursor.before", hit: 1 };
/** The first piece is noted when it comes, the others in one or two writes. */
const BEFORE: KillPlan = { point: "cursor.before", hit: 3 };
const AFTER: KillPlan = { point: "cursor.after", hit: 3 };
/** Of pieces that come one after the other, each is noted and stored. */
const BETWEEN: KillPlan = { point: "cursor.before", hit: 4 };

/** Before the pieces are stored, after, and between two of them. Polled, what is stored is confirmed and not given again. */
export const STRETCHED_ALBUMS: readonly StretchedAlbum[] = [1, 5, 30].flatMap((seconds): StretchedAlbum[] => [
  { by: "webhook", seconds, deaths: [BEFORE, BETWEEN] },
  { by: "polling", seconds, deaths: [POLLED] },
  { by: "webhook", seconds, deaths: [UNSEEN] },
  { by: "webhook", seconds, deaths: [BEFORE] },
  { by: "webhook", seconds, deaths: [AFTER] },
]);

/** At least one of each way, of each place where it was cut off, and of each time in which it comes again. */
export function drawStretchedAlbums(): readonly StretchedAlbum[] {
  return thinOut(STRETCHED_ALBUMS, [
    { nameOf: ({ by, deaths }) => by + JSON.stringify(deaths), atLeast: 1 },
    { nameOf: ({ seconds }) => String(seconds), atLeast: 1 },
  ]);
}

export function nameStretchedAlbum({ by, seconds, deaths }: StretchedAlbum): string {
  const points = deaths.map(({ point, hit }) => `${point} (${hit})`).join(", then ");
  return `photos by ${by}: ${points}, then a photo every ${seconds} s`;
}

export async function tellStretchedAlbum(album: StretchedAlbum): Promise<void> {
  if (album.by === "webhook") return inPostedWorld(AGENTS, {}, (world) => tellPostedApart(world, album), true);
  const world = await CrashWorld.open([], AGENTS);
  try {
    await tellPolledApart(world, album);
  } finally {
    await world.close();
  }
}

async function tellPostedApart(world: CrashWorld, { deaths, seconds }: StretchedAlbum): Promise<void> {
  const webhook = world.telegram.webhook();
  await world.ada.sendsAlbum(PHOTOS, "look");
  let pieces: readonly number[] = [];
  for (const plan of deaths) {
    const gateway = await world.start(plan);
    for (const piece of pieces) await postUntilTaken(world, piece);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await webhook.holds();
    pieces = await listPosted(world.telegram);
  }
  assert.equal(pieces.length, PHOTOS.length, world.log);
  await world.start();
  for (const [at, piece] of pieces.entries()) {
    if (at > 0) await passSeconds(world, seconds);
    await postUntilTaken(world, piece);
  }
  await checkOneAnswer(world);
}

async function tellPolledApart(world: CrashWorld, { deaths, seconds }: StretchedAlbum): Promise<void> {
  const { faults } = world.telegram;
  await world.ada.sendsAlbum(PHOTOS, "look");
  for (const plan of deaths) await (await world.start(plan)).died(`${plan.point} (${plan.hit})`);
  const gates = [];
  for (const _ of PHOTOS.slice(1)) {
    await faults.add({ kind: "short-answer", method: "getUpdates", count: 1 });
    gates.push(await faults.hold({ method: "getUpdates", at: "request", skip: 0, times: 1 }));
  }
  await world.start();
  for (const gate of gates) {
    await gate.reached(1, PATIENCE_MS);
    await passSeconds(world, seconds);
    await gate.cut();
  }
  await checkOneAnswer(world);
}

/** The gateway, which has a piece and waits for others, asks every second of its own time; and once when it starts. */
async function passSeconds({ telegram }: CrashWorld, seconds: number): Promise<void> {
  const asked = (await telegram.record({ method: "getWebhookInfo" })).length;
  await telegram.called("getWebhookInfo", asked + 1 + seconds, PATIENCE_MS);
  await telegram.passTime(seconds * 1000);
}
