/**
 * `pnpm simulate`: worlds of the real core, more than a test run plays. Without arguments 20,000 seeds from 1; `--seed`
 * plays one world, `--trace` prints it.
 */
import { parseArgs } from "node:util";
import { findDefect } from "./defects/all-defects.ts";
import { reportFailure } from "./failure-report.ts";
import { runSeed } from "./run-seed.ts";
import { runSeeds } from "./run-seeds.ts";

const HELP = `pnpm simulate [options]
  --seeds N      how many worlds (20000)
  --from S       the first seed (1)
  --seed S       this world alone
  --events N     events in each world (60)
  --threads N    (2)
  --trace        with --seed: print what happened
  --defect NAME  put a known mistake in: no-epoch-fence, no-dedupe, ack-before-commit, drop-after-retries, last-route,
                 no-route-check, left-behind, no-pace, finish-then-announce, two-speakers, random-keys, late-target,
                 hasty-archive, no-cascade, no-compare-and-set, late-route
`;
const PROGRESS_SEEDS = 1_000;
const MOST_REPORTS = 3;

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    events: { type: "string", default: "60" },
    threads: { type: "string", default: "2" },
    trace: { type: "boolean", default: false },
    defect: { type: "string", default: "none" },
    help: { type: "boolean", default: false },
  },
});

// Plays are full of failures, and nobody reads where they were made.
Error.stackTraceLimit = 0;

const events = Number(values.events);
const defect = findDefect(values.defect);

if (values.help) process.stdout.write(HELP);
else if (values.seed === undefined) process.exitCode = await playMany();
else process.exitCode = await playOne(Number(values.seed));

async function playOne(seed: number): Promise<number> {
  const { broken, trace } = await runSeed({ seed, events, defect, isTraced: values.trace });
  for (const line of trace) process.stdout.write(`${line}\n`);
  if (broken !== undefined) process.stdout.write(`${await reportFailure({ seed, events, defect }, broken)}\n`);
  else process.stdout.write(`Seed ${seed} keeps every promise.\n`);
  return broken === undefined ? 0 : 1;
}

async function playMany(): Promise<number> {
  let told = 0;
  const end = await runSeeds({
    from: Number(values.from),
    seeds: Number(values.seeds),
    events,
    defect: defect.name,
    threads: Number(values.threads),
    onProgress(done, broken) {
      if (done - told < PROGRESS_SEEDS) return;
      told = done;
      process.stdout.write(`${done} worlds, ${broken} broken\n`);
    },
  });
  for (const { seed, ...broken } of end.broken.slice(0, MOST_REPORTS)) {
    process.stdout.write(`\n${await reportFailure({ seed, events, defect }, broken)}\n`);
  }
  const perSecond = Math.round(end.seeds / (end.durationMs / 1000));
  const rest = end.broken.map(({ seed, invariant }) => `${seed} (${invariant})`).join(", ");
  process.stdout.write(`\n${end.seeds} worlds of ${events} events, ${perSecond} a second; broken: ${rest || "none"}\n`);
  return end.broken.length === 0 ? 0 : 1;
}
