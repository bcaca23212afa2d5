import type { Bar } from "../bar.ts";
import type { ChatLine } from "../chat-line.ts";
import { median } from "../median.ts";
import { findPast } from "../past/find-past.ts";
import type { Section } from "../section.ts";
import { openLines, SpawnLoad } from "../spawn-load.ts";
import { ChatSubjectProcess } from "../subject-process.ts";

const SIZES = [100, 10_000, 100_000] as const;
const LIMIT = 1.5;
const REQUESTERS = 20;
const CHILDREN = 25;
/** Loads that compile the code; the same for every size. */
const WARM_LOADS = 2;

interface Grove {
  readonly subject: ChatSubjectProcess;
  readonly lines: readonly ChatLine[];
  readonly costs: number[];
}

/** What a sub-agent costs from its spawn to its completion when there were so many before; the sizes take turns. */
export const treeSize: Section = {
  name: "tree-size",
  about: `cost of a spawn at ${SIZES.join(" / ")} sessions`,
  async measure({ pairs, tell }): Promise<readonly Bar[]> {
    const groves: Grove[] = [];
    try {
      for (const size of SIZES) {
        const subject = await ChatSubjectProcess.start(await findPast(size, tell));
        groves.push({ subject, lines: await openLines(subject.door, "newcomer", REQUESTERS), costs: [] });
      }
      for (const grove of groves) for (let load = 0; load < WARM_LOADS; load += 1) await measureCost(grove);
      for (const { subject } of groves) await subject.quiet();
      for (let round = 1; round <= pairs; round += 1) {
        for (const grove of groves) grove.costs.push(await measureCost(grove));
        tell(`tree-size ${round}/${pairs}  ${groves.map(({ costs }) => costs.at(-1)?.toFixed(0)).join(" / ")} µs CPU`);
      }
    } finally {
      for (const { subject, lines } of groves) {
        for (const line of lines) line.close();
        await subject.close();
      }
    }
    const costs = groves.map((grove) => median(grove.costs));
    return [
      {
        name: "spawn over sessions",
        measured: Math.max(...costs) / Math.min(...costs),
        limit: LIMIT,
        side: "at most",
        unit: "×",
        detail: `${costs.map((cost) => cost.toFixed(0)).join(" / ")} µs CPU from spawn to completion`,
      },
    ];
  },
};

/** Of one child, in microseconds of CPU over all threads. */
async function measureCost({ subject, lines }: Grove): Promise<number> {
  const before = await subject.figures();
  await new SpawnLoad(lines, CHILDREN).completed;
  const after = await subject.figures();
  return ((after.cpuSeconds - before.cpuSeconds) / (lines.length * CHILDREN)) * 1e6;
}
