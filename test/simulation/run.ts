/**
 * `pnpm simulate`: worlds of the real core, more than a test run plays. Without arguments 20,000 seeds from 1; `--seed`
 * plays one world, `--trace` prints it.
 */
import { parseArgs } from "node:util";
import { calibrate } from "../bench/calibration.ts";
import { formatHelp } from "./command-help.ts";
import { DEFECTS, findDefect } from "./defects/all-defects.ts";
import { reportFailure } from "./failure-report.ts";
import { BAR_WORLDS, buildRangeReport, formatRangeReport, isGood } from "./range-report.ts";
import { runSeed } from "./run-seed.ts";
import { runSeeds } from "./run-seeds.ts";

const PROGRESS_SEEDS = 1_000;
const MOST_REPORTS = 3;

const { values } = parseArgs({
  options: {
    seeds: { type: "string" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    events: { type: "string", default: "60" },
    threads: { type: "string", default: "2" },
    trace: { type: "boolean", default: false },
    bar: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
    defect: { type: "string", default: "none" },
    help: { type: "boolean", default: false },
  },
});

// Plays are full of failures, and nobody reads where they were made.
Error.stackTraceLimit = 0;

const events = Number(values.events);
const defect = findDefect(values.defect);

if (values.help) process.stdout.write(formatHelp(DEFECTS.map(({ name }) => name)));
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
  const seeds = Number(values.seeds ?? (values.bar ? BAR_WORLDS : 20_000));
  if (values.bar && seeds !== BAR_WORLDS)
    throw new Error(`pnpm simulate --bar: the bar is of ${BAR_WORLDS} worlds, not of ${seeds}; leave --seeds out`);
  const tell = (text: string) => (values.json ? process.stderr : process.stdout).write(text);
  const calibration = values.bar ? calibrate() : undefined;
  const cpuBefore = process.cpuUsage();
  let told = 0;
  const end = await runSeeds({
    from: Number(values.from),
    seeds,
    events,
    defect: defect.name,
    threads: Number(values.threads),
    onProgress(done, broken) {
      if (done - told < PROGRESS_SEEDS) return;
      told = done;
      tell(`${done} worlds, ${broken} broken\n`);
    },
  });
  const { user, system } = process.cpuUsage(cpuBefore);
  const report = buildRangeReport(end, { events, cpuMs: (user + system) / 1_000, calibration });
  for (const { seed, ...broken } of end.broken.slice(0, MOST_REPORTS))
    tell(`\n${await reportFailure({ seed, events, defect }, broken)}\n`);
  process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : `\n${formatRangeReport(report)}\n`);
  return isGood(report) ? 0 : 1;
}
