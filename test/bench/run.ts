/**
 * `pnpm bench`: durable echo against a bare grammY bot, on the same emulator, in one run. Medians of interleaved
 * pairs; figures depend on the machine, ratios much less. `--pairs N` (default 5), `--messages N` (default 10000),
 * `--json` for one JSON document.
 */

import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { runClosedLoop, runSteadyPace } from "./load.ts";
import { SubjectProcess } from "./subject-process.ts";
import { openTown } from "./town.ts";

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: "5" },
    messages: { type: "string", default: "10000" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (values.help) {
  process.stdout.write("pnpm bench [--pairs N] [--messages N] [--json]\n");
  process.exit(0);
}

const PEOPLE = 1_000;
const STEADY_PER_SECOND = 100;
const STEADY_MESSAGES = 1_000;
const messages = Number(values.messages);

interface Round {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly cpuSecondsPer10k: number;
  readonly idleRssMb: number;
  readonly peakRssMb: number;
  readonly firstPollMs: number;
}

async function measure(kind: "grammy" | "banyan"): Promise<Round> {
  const town = await openTown(PEOPLE);
  const subject = await SubjectProcess.open(kind, town);
  try {
    const idle = await subject.figures();
    await runClosedLoop(town, PEOPLE);
    const before = await subject.figures();
    const perSecond = await runClosedLoop(town, messages);
    const after = await subject.figures();
    const latencies = await runSteadyPace(town, STEADY_PER_SECOND, STEADY_MESSAGES);
    const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
    return {
      perSecond,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      cpuSecondsPer10k: ((after.cpuSeconds - before.cpuSeconds) / messages) * 10_000,
      idleRssMb: idle.rssBytes / 2 ** 20,
      peakRssMb: after.rssBytes / 2 ** 20,
      firstPollMs: subject.firstPollMs,
    };
  } finally {
    await subject.close();
    await town.close();
  }
}

/** What this machine does today: by these an absolute bar is scaled. */
function calibrate(): Record<string, number> {
  const begun = performance.now();
  spawnSync(process.execPath, ["-e", "0"]);
  const bareNodeMs = performance.now() - begun;
  const folder = mkdtempSync(join(tmpdir(), "banyan-fsync-"));
  const file = openSync(join(folder, "file"), "w");
  const times = Array.from({ length: 50 }, () => {
    const start = performance.now();
    writeSync(file, "x".repeat(4096));
    fsyncSync(file);
    return performance.now() - start;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return { bareNodeMs, fsyncMs: median(times) };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

const rounds: Record<"grammy" | "banyan", Round[]> = { grammy: [], banyan: [] };
for (let pair = 1; pair <= Number(values.pairs); pair += 1) {
  for (const kind of ["grammy", "banyan"] as const) {
    const round = await measure(kind);
    rounds[kind].push(round);
    process.stderr.write(`  pair ${pair}  ${kind.padEnd(7)} ${Math.round(round.perSecond)} messages/s\n`);
  }
}

const calibration = calibrate();
const names = ["perSecond", "p50Ms", "p99Ms", "cpuSecondsPer10k", "idleRssMb", "peakRssMb", "firstPollMs"] as const;
const rows = names.map((name) => {
  const grammy = median(rounds.grammy.map((round) => round[name]));
  const banyan = median(rounds.banyan.map((round) => round[name]));
  const ratio = median(rounds.banyan.map((round, pair) => round[name] / (rounds.grammy[pair]?.[name] ?? Number.NaN)));
  return { name, grammy, banyan, ratio };
});
if (values.json) {
  process.stdout.write(`${JSON.stringify({ calibration, pairs: Number(values.pairs), messages, rows, rounds })}\n`);
} else {
  const line = (cells: readonly string[]) =>
    `  ${cells[0]?.padEnd(20)}${cells
      .slice(1)
      .map((cell) => cell.padStart(12))
      .join("")}\n`;
  process.stdout.write(line(["", "grammY", "Banyan", "ratio"]));
  for (const { name, grammy, banyan, ratio } of rows) {
    process.stdout.write(line([name, grammy.toFixed(1), banyan.toFixed(1), `${ratio.toFixed(2)} ×`]));
  }
  process.stdout.write(
    `  calibration: bare node ${calibration.bareNodeMs?.toFixed(0)} ms, fsync ${calibration.fsyncMs?.toFixed(2)} ms\n`,
  );
}
