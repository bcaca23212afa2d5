/**
 * `pnpm bench`: every bar for speed and size in one run, on the same emulator. Ratios are medians of interleaved pairs;
 * absolute bars are scaled by the calibration line.
 */
import { parseArgs } from "node:util";
import { formatBars, isMet } from "./bar.ts";
import { removeBenchFolders } from "./bench-folder.ts";
import { type Calibration, calibrate } from "./calibration.ts";
import type { Section } from "./section.ts";
import { discordEcho } from "./sections/discord-echo.ts";
import { echo } from "./sections/echo.ts";
import { foreignTurn } from "./sections/foreign-turn.ts";
import { idle } from "./sections/idle.ts";
import { links } from "./sections/links.ts";
import { longRun } from "./sections/long-run.ts";
import { modelTurn } from "./sections/model-turn.ts";
import { sessions } from "./sections/sessions.ts";
import { slowApi } from "./sections/slow-api.ts";
import { spawns } from "./sections/spawns.ts";
import { start } from "./sections/start.ts";
import { thousandRuns } from "./sections/thousand-runs.ts";
import { treeSize } from "./sections/tree-size.ts";
import { treeStart } from "./sections/tree-start.ts";

const SECTIONS: readonly Section[] = [
  echo,
  discordEcho,
  slowApi,
  start,
  idle,
  sessions,
  links,
  longRun,
  spawns,
  thousandRuns,
  treeStart,
  treeSize,
  modelTurn,
  foreignTurn,
];

const HELP = `pnpm bench [--pairs N] [--messages N] [--only name,name] [--json]

  --pairs N      interleaved rounds whose median counts (default 5)
  --messages N   in one measured stretch (default 10000)
  --only names   these parts alone
  --json         one JSON document instead of the table

${SECTIONS.map(({ name, about }) => `  ${name.padEnd(11)} ${about}`).join("\n")}
`;

function readOptions() {
  const { values } = parseArgs({
    options: {
      pairs: { type: "string", default: "5" },
      messages: { type: "string", default: "10000" },
      only: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  const names = values.only?.split(",") ?? SECTIONS.map(({ name }) => name);
  const unknown = names.find((name) => !SECTIONS.some((section) => section.name === name));
  if (unknown !== undefined) throw new Error(`pnpm bench: there is no part ${unknown}; see pnpm bench --help`);
  const sections = SECTIONS.filter(({ name }) => names.includes(name));
  return { ...values, sections, pairs: Number(values.pairs), messages: Number(values.messages) };
}

function formatCalibration({ bareNodeMs, fsyncMs, startScale }: Calibration): string {
  return `  calibration: bare node ${bareNodeMs.toFixed(1)} ms (starts × ${startScale.toFixed(2)}), fsync ${fsyncMs.toFixed(3)} ms`;
}

const options = readOptions();
process.once("exit", removeBenchFolders);
if (options.help) process.stdout.write(HELP);
else {
  const calibration = calibrate();
  const tell = (line: string) => process.stderr.write(`  ${line}\n`);
  tell(formatCalibration(calibration).trim());
  const { pairs, messages } = options;
  const measured = [];
  for (const section of options.sections) {
    measured.push(...(await section.measure({ pairs, messages, calibration, tell })));
  }
  const bars = measured.map((bar) => ({ ...bar, isMet: isMet(bar) }));
  process.stdout.write(
    options.json
      ? `${JSON.stringify({ calibration, pairs, messages, bars })}\n`
      : `${formatBars(bars)}\n${formatCalibration(calibration)}\n`,
  );
}
