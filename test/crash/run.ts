/**
 * `pnpm crash`: the part of the crash matrix that is too long for every test run: each point at its first four passes,
 * threads that die alone, full disks, a process that stands still, and pairs of deaths drawn by seeds; the same of trees
 * of sub-agents.
 */
import { randomInt } from "node:crypto";
import { setTimeout as pass } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  ALBUM_DEATHS,
  nameAlbumDeath,
  nameStretchedAlbum,
  STRETCHED_ALBUMS,
  tellAlbumDeath,
  tellStretchedAlbum,
} from "./album-story.ts";
import { ANCHOR_DOORS, nameAnchorDoor } from "./anchor-story.ts";
import { BUSY_CHAT_POINTS, drawPair, KILL_POINTS, THREAD_POINTS, WIRE_POINTS, type WirePoint } from "./crash-point.ts";
import {
  tellDeathAtTheDoor,
  tellFullDisk,
  tellSecondProcess,
  tellStandstill,
  tellThreadDeath,
  tellTwoDeaths,
} from "./crash-story.ts";
import { namePostedGrowth, POSTED_GROWTHS, tellGrowthKill } from "./growth-story.ts";
import { drawTreePair, listTreeMatrix, nameTreePoint, SAMPLED_TREE_POINTS } from "./tree-point.ts";
import { TREE_STORIES, tellSureTreeDeaths, tellTreeDeathAtDoor, tellTreeDeaths } from "./tree-story.ts";

const HELP = `pnpm crash [--pairs N] [--from SEED] [--only TEXT]

  --pairs N    pairs of deaths in one conversation, and as many in trees, drawn by seeds (default: 200)
  --from SEED  the first seed (default: drawn, and printed)
  --only TEXT  only stories whose name holds this text, such as "seed 4711", "T3", "stands still"
`;
/** As large as they can be without being hard to type. */
const SEEDS = 1_000_000;
/** Each is several processes. */
const PARALLEL = 2;
const PASSES = [1, 2, 3, 4];
const STANDSTILL_MS = 30_000;
/** Above it the story ends before the disk is full. */
const FULL_AFTER_PAGES = Array.from({ length: 15 }, (_, pages) => pages);
const PROGRESS_EVERY = 20;

interface Story {
  readonly name: string;
  readonly tell: () => Promise<void>;
}

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "200" },
    from: { type: "string" },
    only: { type: "string", default: "" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else await run(readCount("pairs", values.pairs), readCount("from", values.from ?? String(randomInt(SEEDS))));

function readCount(name: string, text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 0) return count;
  throw new TypeError(`running the crash matrix: --${name} takes a whole number, received ${text}`);
}

async function run(pairs: number, from: number): Promise<void> {
  const stories = listStories(pairs, from).filter(({ name }) => name.includes(values.only));
  process.stdout.write(`${stories.length} stories, seeds from ${from} (the same again: --from ${from})\n`);
  let told = 0;
  let failed = 0;
  const queue = stories[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (const { name, tell } of queue) {
        try {
          await tell();
        } catch (error) {
          failed += 1;
          process.stdout.write(`✗ ${name}\n${error instanceof Error ? error.message : String(error)}\n`);
        }
        told += 1;
        if (process.stderr.isTTY) process.stderr.write(`\r${told}/${stories.length}  ${failed} failed `);
        else if (told % PROGRESS_EVERY === 0) process.stderr.write(`${told}/${stories.length}  ${failed} failed\n`);
      }
    }),
  );
  process.stdout.write(`${told - failed} passed, ${failed} failed\n`);
  process.exitCode = failed === 0 && told > 0 ? 0 : 1;
}

function listStories(pairs: number, from: number): readonly Story[] {
  const points = [...new Set([...KILL_POINTS, ...BUSY_CHAT_POINTS].map(({ point }) => point))];
  const threadPoints = new Map(THREAD_POINTS.map(({ plan, line }) => [plan.point, line]));
  return [
    ...(["at rest", "while it sends"] as const).map((when) => ({
      name: `the process stands still for ${STANDSTILL_MS / 1_000} s ${when}`,
      tell: () => tellStandstill(when, () => pass(STANDSTILL_MS)),
    })),
    { name: "a second process on the same state directory", tell: tellSecondProcess },
    ...points.flatMap((point) =>
      PASSES.map((hit) => ({ name: `${point} (${hit})`, tell: () => tellTwoDeaths([{ point, hit }]) })),
    ),
    ...[...threadPoints].flatMap(([point, line]) =>
      PASSES.slice(0, point.startsWith("store.") ? undefined : 1).map((hit) => ({
        name: `a thread dies: ${point} (${hit})`,
        tell: () => tellThreadDeath({ point, hit }, line),
      })),
    ),
    ...FULL_AFTER_PAGES.map((pages) => ({ name: `full after ${pages} pages`, tell: () => tellFullDisk(pages) })),
    ...WIRE_POINTS.flatMap((door) =>
      listSkips(door).map((skip) => ({
        name: `${door.name} (${door.method} ${skip + 1})`,
        tell: () => tellDeathAtTheDoor({ ...door, skip }),
      })),
    ),
    ...POSTED_GROWTHS.map((death) => ({
      name: namePostedGrowth(death),
      tell: () => tellGrowthKill(death.plan, death),
    })),
    ...ALBUM_DEATHS.map((death) => ({ name: nameAlbumDeath(death), tell: () => tellAlbumDeath(death) })),
    ...STRETCHED_ALBUMS.map((album) => ({ name: nameStretchedAlbum(album), tell: () => tellStretchedAlbum(album) })),
    ...Array.from({ length: pairs }, (_, index) => {
      const plans = drawPair(from + index);
      const name = plans.map(({ point, hit }) => `${point} (${hit})`).join(", then ");
      return { name: `seed ${from + index}: ${name}`, tell: () => tellTwoDeaths(plans) };
    }),
    ...listTreeMatrix().map((point) => ({
      name: `tree: ${nameTreePoint(point)}`,
      tell: () => tellTreeDeaths(TREE_STORIES[point.story], point.plans),
    })),
    ...SAMPLED_TREE_POINTS.map((point) => ({
      name: `tree, surely: ${nameTreePoint(point)}`,
      tell: () => tellSureTreeDeaths(TREE_STORIES[point.story], point.plans),
    })),
    ...ANCHOR_DOORS.map(({ story, call, ...door }) => ({
      name: `tree: ${nameAnchorDoor({ story, call, ...door })}`,
      tell: () => tellTreeDeathAtDoor(TREE_STORIES[story], call, door),
    })),
    ...Array.from({ length: pairs }, (_, index) => {
      const pair = drawTreePair(from + index);
      const name = `tree: seed ${from + index}: ${nameTreePoint(pair)}`;
      return { name, tell: () => tellTreeDeaths(TREE_STORIES[pair.story], pair.plans) };
    }),
  ];
}

/** The story sends four messages; each of them can be the one that stands at the door. */
function listSkips({ method, skip }: WirePoint): readonly number[] {
  return method === "sendMessage" ? [0, 1, 2, 3] : [skip];
}
