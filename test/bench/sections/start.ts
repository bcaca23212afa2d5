import type { Bar } from "../bar.ts";
import { makeBenchFolder } from "../bench-folder.ts";
import { type BuiltProject, installBuiltProject } from "../built-project.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { SOURCE_PROGRAM, StartedProgram } from "../started-program.ts";

const SOURCE_LIMIT_MS = 350;
const BUILT_LIMIT_MS = 200;
/** The first ones fill the compile cache. */
const WARM_STARTS = 2;
/** Of each; a start is short, so more of them cost little. */
const STARTS_PER_PAIR = 3;

/** `banyan start` from its spawn to its first poll at Telegram, with a state directory that exists. */
export const start: Section = {
  name: "start",
  about: "spawn to first poll, from source and from built packages",
  async measure({ pairs, calibration, tell }): Promise<readonly Bar[]> {
    const built = await installBuiltProject();
    try {
      const [fromSource, fromBuilt] = await measureStarts(built, pairs * STARTS_PER_PAIR);
      tell(`start  source ${fromSource.toFixed(0)} ms, built ${fromBuilt.toFixed(0)} ms`);
      const scale = `the bar is × ${calibration.startScale.toFixed(2)} by the calibration`;
      return [
        {
          name: "start from source",
          measured: fromSource,
          limit: SOURCE_LIMIT_MS * calibration.startScale,
          side: "at most",
          unit: "ms",
          detail: `${SOURCE_LIMIT_MS} ms; ${scale}`,
        },
        {
          name: "start from built",
          measured: fromBuilt,
          limit: BUILT_LIMIT_MS * calibration.startScale,
          side: "at most",
          unit: "ms",
          detail: `${BUILT_LIMIT_MS} ms; ${scale}`,
        },
      ];
    } finally {
      built.remove();
    }
  },
};

async function measureStarts(built: BuiltProject, starts: number): Promise<readonly [number, number]> {
  const folder = makeBenchFolder();
  const times: readonly [number[], number[]] = [[], []];
  for (let round = 0; round < WARM_STARTS + starts; round += 1) {
    const source = await measureStart(SOURCE_PROGRAM, folder.path);
    const packed = await measureStart(built.program, folder.path);
    if (round < WARM_STARTS) continue;
    times[0].push(source);
    times[1].push(packed);
  }
  return [median(times[0]), median(times[1])];
}

async function measureStart(program: string, cwd: string): Promise<number> {
  const started = await StartedProgram.open(program, cwd);
  await started.close();
  return started.openedMs;
}
