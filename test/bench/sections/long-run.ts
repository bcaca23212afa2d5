import type { Bar } from "../bar.ts";
import { runClosedLoop } from "../load.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { SubjectProcess } from "../subject-process.ts";
import { openTown } from "../town.ts";

const PEOPLE = 1_000;
const MESSAGES = 200_000;
const STRETCHES = 20;
/** Growth that is none: what a garbage collection leaves differs by as much. */
const FLAT = 1.1;

/** Memory over a long run: the last quarter against the second one, when all caches are full. */
export const longRun: Section = {
  name: "long",
  about: `memory over ${MESSAGES} messages`,
  async measure({ tell }): Promise<readonly Bar[]> {
    const town = await openTown(PEOPLE);
    const subject = await SubjectProcess.open("banyan", town);
    const sizes: number[] = [];
    try {
      for (let stretch = 1; stretch <= STRETCHES; stretch += 1) {
        const perSecond = await runClosedLoop(town, MESSAGES / STRETCHES);
        const { rssBytes } = await subject.figures();
        sizes.push(rssBytes / 2 ** 20);
        tell(`long ${(MESSAGES / STRETCHES) * stretch}: ${sizes.at(-1)?.toFixed(0)} MB, ${Math.round(perSecond)}/s`);
      }
    } finally {
      await subject.close();
      await town.close();
    }
    const quarter = STRETCHES / 4;
    const second = median(sizes.slice(quarter, 2 * quarter));
    const last = median(sizes.slice(-quarter));
    const detail = `${second.toFixed(0)} MB in the second quarter, ${last.toFixed(0)} MB in the last, ${Math.max(...sizes).toFixed(0)} MB at most`;
    return [{ name: "memory over 200,000", measured: last / second, limit: FLAT, side: "at most", unit: "×", detail }];
  },
};
