/** Deaths while files come in or go out: one that an agent saves, and an album whose pieces come one after the other. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CrashWorld } from "./crash-world.ts";
import type { KillPlan } from "./kill-plan.ts";

const PATIENCE_MS = 60_000;

/** Points on the way of a file that is counted; each is surely passed. */
export const FILE_POINTS: readonly KillPlan[] = [
  { point: "received.before", hit: 1 },
  { point: "received.after", hit: 1 },
  { point: "T2b.before", hit: 1 },
  { point: "T2b.after", hit: 1 },
  { point: "T3.before", hit: 1 },
  { point: "T6.before", hit: 1 },
];

/** Points on the way of an album. */
export const ALBUM_POINTS: readonly KillPlan[] = [
  { point: "cursor.before", hit: 1 },
  { point: "cursor.after", hit: 1 },
  { point: "inbound.parsed", hit: 1 },
  { point: "T0.before", hit: 1 },
  { point: "T0.after", hit: 1 },
  { point: "received.after", hit: 1 },
  { point: "received.after", hit: 2 },
  { point: "T3.after", hit: 1 },
];

/** Points on the way of a file that the agent sends, and whether another one stands in its place after the death. */
export const SEND_POINTS: readonly (KillPlan & { readonly isReplaced: boolean })[] = [
  { point: "outgoing.before", hit: 1, isReplaced: false },
  { point: "outgoing.after", hit: 1, isReplaced: false },
  { point: "T2b.before", hit: 1, isReplaced: false },
  { point: "T2b.after", hit: 1, isReplaced: true },
  { point: "T3.before", hit: 1, isReplaced: true },
  { point: "T3.after", hit: 1, isReplaced: true },
  { point: "T6.before", hit: 1, isReplaced: true },
  { point: "T6.after", hit: 1, isReplaced: true },
];

const ALBUM = [
  { kind: "document", name: "a.txt", content: "one two" },
  { kind: "document", name: "b.txt", content: "three" },
] as const;
const ALBUM_ANSWER = /a\.txt has 2 words\.\nb\.txt has 1 word\.$/;

/** A person sends a file to be counted. */
export async function tellFile(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    await world.ada.sendsDocument({ name: "oaks.txt", content: "two old oaks" }, "count words");
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await checkAnswered(world, /oaks\.txt has 3 words\.$/);
    checkSaved(world, ["two old oaks"]);
  });
}

/** A person sends an album. */
export async function tellAlbum(plan: KillPlan): Promise<void> {
  await inWorld(async (world) => {
    await world.ada.sendsAlbum(ALBUM, "count words");
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    await world.start();
    await checkAnswered(world, ALBUM_ANSWER);
    checkSaved(world, ["one two", "three"]);
  });
}

/** The process dies when it has seen the first piece and not the second. */
export async function tellAlbumInPieces(): Promise<void> {
  await inWorld(async (world) => {
    const [first, second] = ALBUM;
    const gate = await world.telegram.faults.hold({ method: "getUpdates", at: "answer", skip: 0, times: 1 });
    await world.ada.sendsAlbum([first], "count words", "trees");
    const gateway = await world.start();
    await gate.reached(1, PATIENCE_MS);
    await gate.release();
    gateway.signal("SIGKILL");
    await gateway.died("between two pieces");
    await world.ada.sendsAlbum([second], "", "trees");
    await world.start();
    await checkAnswered(world, ALBUM_ANSWER);
  });
}

/** A person asks for a file, which is another one after the death: what was promised is sent all the same. */
export async function tellSend({ isReplaced, ...plan }: (typeof SEND_POINTS)[number]): Promise<void> {
  await inWorld(async (world) => {
    await world.ada.says("send docs/a.md");
    const gateway = await world.start(plan);
    await gateway.died(`${plan.point} (${plan.hit})`);
    if (isReplaced) writeFileSync(join(world.folder, "docs", "a.md"), "another one");
    await world.start();
    await checkSent(world);
  });
}

/** The process dies while the call with the file stands at the platform's door: before it is taken, or behind. */
export async function tellSendAtDoor(at: "request" | "answer"): Promise<void> {
  await inWorld(async (world) => {
    const gate = await world.telegram.faults.hold({ method: "sendDocument", at, skip: 0, times: 1 });
    await world.ada.says("send docs/a.md");
    const gateway = await world.start();
    await gate.reached(1, PATIENCE_MS);
    gateway.signal("SIGKILL");
    await gateway.died("a file at the door");
    await gate.cut();
    writeFileSync(join(world.folder, "docs", "a.md"), "another one");
    await world.start();
    await checkSent(world);
  });
}

/** The file came with the bytes that it had; once, or with each further copy marked; and the answer behind it. */
async function checkSent(world: CrashWorld): Promise<void> {
  await world.ada.hears(({ text }) => text.endsWith("There you are: docs/a.md."), { timeoutMs: PATIENCE_MS });
  await world.rests();
  const messages = await world.ada.messages();
  const captions = messages.filter(({ content }) => content !== undefined).map(({ text }) => text);
  const unmarked = captions.filter((text) => !text.startsWith("(may be repeated)"));
  assert.ok(captions.length >= 1 && unmarked.length <= 1, `${captions.length} copies\n${world.log}`);
  for (const caption of captions) {
    const { name, bytes } = await world.ada.hearsFile(caption);
    assert.deepEqual([name, bytes.toString()], ["a.md", "one and two"], world.log);
  }
  await world.stop();
}

/** The one answer came; once, or with each further copy marked; and nothing else came. */
async function checkAnswered(world: CrashWorld, answer: RegExp): Promise<void> {
  await world.ada.hears(({ text }) => answer.test(text), { timeoutMs: PATIENCE_MS });
  await world.rests();
  const messages = (await world.ada.messages()).map(({ text }) => text);
  const unmarked = messages.filter((text) => !text.startsWith("(may be repeated)"));
  assert.ok(
    messages.every((text) => answer.test(text)) && unmarked.length <= 1,
    `${messages.join("\n")}\n${world.log}`,
  );
  await world.stop();
}

/** Each file stands once in the workspace, whole, and nothing half-written beside it. */
function checkSaved(world: CrashWorld, contents: readonly string[]): void {
  const received = join(world.folder, ".banyan", "received");
  const [session = ""] = readdirSync(received);
  const files = readdirSync(join(received, session)).toSorted();
  assert.deepEqual(
    files.map((name) => readFileSync(join(received, session, name), "utf8")),
    contents,
    `${files.join(", ")}\n${world.log}`,
  );
}

async function inWorld(story: (world: CrashWorld) => Promise<void>): Promise<void> {
  const world = await CrashWorld.open();
  try {
    await story(world);
  } finally {
    await world.close();
  }
}
