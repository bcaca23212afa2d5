import type { Bar } from "../bar.ts";
import { makeBenchFolder } from "../bench-folder.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { openLines, SPAWN_CONFIG, SpawnLoad } from "../spawn-load.ts";
import { ChatSubjectProcess } from "../subject-process.ts";

const REQUESTERS = 20;
const CHILDREN = 50;
const LIMIT_PER_SECOND = 500;
/** Loads before the ones that count: code is compiled and caches are full. */
const WARM_LOADS = 2;

interface Load {
  readonly spawnsPerSecond: number;
  readonly completionsPerSecond: number;
  readonly cpuMicros: number;
}

/** Sub-agents from a person's `/spawn` to the completion message in the chat, over the web chat. */
export const spawns: Section = {
  name: "spawns",
  about: `spawns and completions a second, ${REQUESTERS} people with ${CHILDREN} children each`,
  async measure({ pairs, calibration, tell }): Promise<readonly Bar[]> {
    const loads = await measureLoads(WARM_LOADS + pairs, tell);
    const warm = loads.slice(WARM_LOADS);
    const middle = (field: keyof Load) => median(warm.map((load) => load[field]));
    const limit = LIMIT_PER_SECOND / calibration.startScale;
    const scale = `${LIMIT_PER_SECOND}/s; the bar is ÷ ${calibration.startScale.toFixed(2)} by the calibration`;
    const cold = `the first load ${loads[0]?.completionsPerSecond.toFixed(0)}/s`;
    const bar = { limit, side: "at least", unit: "/s" } as const;
    return [
      { ...bar, name: "spawns a second", measured: middle("spawnsPerSecond"), detail: scale },
      {
        ...bar,
        name: "completions a second",
        measured: middle("completionsPerSecond"),
        detail: `${scale}; ${cold}; ${middle("cpuMicros").toFixed(0)} µs CPU from spawn to completion`,
      },
    ];
  },
};

async function measureLoads(count: number, tell: (line: string) => void): Promise<readonly Load[]> {
  const subject = await ChatSubjectProcess.start(makeBenchFolder(SPAWN_CONFIG));
  const loads: Load[] = [];
  try {
    const lines = await openLines(subject.door, "person", REQUESTERS);
    const total = REQUESTERS * CHILDREN;
    for (let round = 1; round <= count; round += 1) {
      const before = await subject.figures();
      const { answeredMs, completedMs } = await new SpawnLoad(lines, CHILDREN).completed;
      const after = await subject.figures();
      const load = {
        spawnsPerSecond: total / (answeredMs / 1_000),
        completionsPerSecond: total / (completedMs / 1_000),
        cpuMicros: ((after.cpuSeconds - before.cpuSeconds) / total) * 1e6,
      };
      tell(`spawns ${round}/${count}  ${formatLoad(load)}, ${(after.rssBytes / 2 ** 20).toFixed(0)} MB`);
      loads.push(load);
    }
    for (const line of lines) line.close();
  } finally {
    await subject.close();
  }
  return loads;
}

function formatLoad({ spawnsPerSecond, completionsPerSecond, cpuMicros }: Load): string {
  return `${spawnsPerSecond.toFixed(0)} spawns/s, ${completionsPerSecond.toFixed(0)} completions/s, ${cpuMicros.toFixed(0)} µs CPU`;
}
