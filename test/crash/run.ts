/**
 * `pnpm crash`: the part of the crash matrix that is too long for every test run: each point at its first four passes,
 * and pairs of deaths drawn by seeds. `--pairs N` (default 200), `--from SEED` (default 21), `--only TEXT`.
 */
import { parseArgs } from "node:util";
import { BUSY_CHAT_POINTS, drawPair, KILL_POINTS, WIRE_POINTS, type WirePoint } from "./crash-point.ts";
import { tellDeathAtTheDoor, tellTwoDeaths } from "./crash-story.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "200" },
    from: { type: "string", default: "21" },
    only: { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write("pnpm crash [--pairs N] [--from SEED] [--only TEXT]\n");
  process.exit(0);
}

const PARALLEL = 3;
const PASSES = [1, 2, 3, 4];

interface Story {
  readonly name: string;
  readonly tell: () => Promise<void>;
}

const points = [...new Set([...KILL_POINTS, ...BUSY_CHAT_POINTS].map(({ point }) => point))];
const first = Number(values.from);
const all: readonly Story[] = [
  ...points.flatMap((point) =>
    PASSES.map((hit) => ({ name: `${point} (${hit})`, tell: () => tellTwoDeaths([{ point, hit }]) })),
  ),
  ...WIRE_POINTS.flatMap((door) =>
    listSkips(door).map((skip) => ({
      name: `${door.name} (${door.method} ${skip + 1})`,
      tell: () => tellDeathAtTheDoor({ ...door, skip }),
    })),
  ),
  ...Array.from({ length: Number(values.pairs) }, (_, index) => {
    const plans = drawPair(first + index);
    const name = plans.map(({ point, hit }) => `${point} (${hit})`).join(", then ");
    return { name: `seed ${first + index}: ${name}`, tell: () => tellTwoDeaths(plans) };
  }),
];
/** The story sends four messages; each of them can be the one that stands at the door. */
function listSkips({ method, skip }: WirePoint): readonly number[] {
  return method === "sendMessage" ? [0, 1, 2, 3] : [skip];
}

const stories = all.filter(({ name }) => name.includes(values.only));

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
    }
  }),
);
process.stdout.write(`${told - failed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 ? 0 : 1;
