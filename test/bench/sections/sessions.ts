import type { Bar } from "../bar.ts";
import { runClosedLoop } from "../load.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { SubjectProcess } from "../subject-process.ts";
import { openTown } from "../town.ts";

const SIZES = [100, 10_000, 100_000] as const;
/** The same for every size, so that batches are equally full. */
const AT_ONCE = 100;
const STRETCHES = 3;

/** What a message costs when so many people have written before; each message is another one's. */
export const sessions: Section = {
  name: "sessions",
  about: `cost of a message at ${SIZES.join(" / ")} sessions`,
  async measure({ messages, tell }): Promise<readonly Bar[]> {
    const costs: number[] = [];
    for (const size of SIZES) {
      const cost = await measureCost(size, messages);
      tell(`sessions ${size}: ${cost.toFixed(0)} µs CPU a message`);
      costs.push(cost);
    }
    const detail = `${costs.map((cost) => cost.toFixed(0)).join(" / ")} µs CPU a message`;
    const measured = Math.max(...costs) / Math.min(...costs);
    return [{ name: "cost over sessions", measured, limit: 1.3, side: "at most", unit: "×", detail }];
  },
};

async function measureCost(size: number, messages: number): Promise<number> {
  const town = await openTown(size);
  const subject = await SubjectProcess.open("banyan", town);
  try {
    // Everybody writes once: these are the sessions. The small town writes as often, so that all code is warm.
    await runClosedLoop(town, Math.max(size, 10_000), AT_ONCE);
    await subject.quiet();
    const costs: number[] = [];
    for (let stretch = 0; stretch < STRETCHES; stretch += 1) {
      const before = await subject.figures();
      await runClosedLoop(town, messages, AT_ONCE);
      const after = await subject.figures();
      costs.push(((after.cpuSeconds - before.cpuSeconds) / messages) * 1e6);
    }
    return median(costs);
  } finally {
    await subject.close();
    await town.close();
  }
}
