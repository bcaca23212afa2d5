import type { Bar } from "../bar.ts";
import { median } from "../median.ts";
import { findPast } from "../past/find-past.ts";
import type { Section } from "../section.ts";
import { openLines, SpawnLoad } from "../spawn-load.ts";
import { ChatSubjectProcess } from "../subject-process.ts";

const RUNS = 100_000;
const LIMIT_MS = 2_000;
/** The first one fills the compile cache. */
const WARM_STARTS = 1;

/** A gateway that has a long past: from its spawn until it is open, and until it has run a first sub-agent. */
export const treeStart: Section = {
  name: "tree-start",
  about: `boot with ${RUNS} finished runs`,
  async measure({ pairs, calibration, tell }): Promise<readonly Bar[]> {
    const folder = await findPast(RUNS, tell);
    const opened: number[] = [];
    const first: number[] = [];
    for (let start = 0; start < WARM_STARTS + pairs; start += 1) {
      const subject = await ChatSubjectProcess.start(folder);
      const lines = await openLines(subject.door, "newcomer", 1);
      const { completedMs } = await new SpawnLoad(lines, 1).completed;
      for (const line of lines) line.close();
      await subject.close();
      tell(
        `tree-start ${start}/${pairs}  open ${subject.openedMs.toFixed(0)} ms, a first run ${completedMs.toFixed(0)} ms`,
      );
      if (start < WARM_STARTS) continue;
      opened.push(subject.openedMs);
      first.push(completedMs);
    }
    return [
      {
        name: `boot with ${RUNS} runs`,
        measured: median(opened),
        limit: LIMIT_MS * calibration.startScale,
        side: "at most",
        unit: "ms",
        detail: `${LIMIT_MS} ms × ${calibration.startScale.toFixed(2)} by the calibration; a first run ${median(first).toFixed(0)} ms`,
      },
    ];
  },
};
