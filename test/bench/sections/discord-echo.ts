import type { Bar } from "../bar.ts";
import { openDiscordBenchTown, runDiscordLoop } from "../discord-load.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { SubjectProcess } from "../subject-process.ts";

const PEOPLE = 1_000;
const KINDS = ["discord.js", "banyan on discord"] as const;
type Kind = (typeof KINDS)[number];

interface Round {
  readonly perSecond: number;
  readonly cpuMicros: number;
  readonly rssMb: number;
}

/** The closed loop of a thousand people on an emulated Discord: a gateway against a bare discord.js bot. */
export const discordEcho: Section = {
  name: "discord",
  about: "messages a second and memory against a bare discord.js bot, on an emulated Discord",
  async measure({ pairs, messages, tell }): Promise<readonly Bar[]> {
    const rounds: Record<Kind, Round[]> = { "discord.js": [], "banyan on discord": [] };
    for (let pair = 1; pair <= pairs; pair += 1) {
      for (const kind of KINDS) {
        const round = await measureRound(kind, messages);
        rounds[kind].push(round);
        const { perSecond, cpuMicros, rssMb } = round;
        const figures = `${Math.round(perSecond)} messages/s, ${cpuMicros.toFixed(0)} µs CPU, ${rssMb.toFixed(0)} MB`;
        tell(`discord ${pair}/${pairs}  ${kind.padEnd(17)} ${figures}`);
      }
    }
    return judge(rounds);
  },
};

async function measureRound(kind: Kind, messages: number): Promise<Round> {
  const town = await openDiscordBenchTown(PEOPLE);
  const subject = await SubjectProcess.openOnDiscord(kind, town);
  try {
    await runDiscordLoop(town, 2 * PEOPLE);
    const before = await subject.figures();
    const perSecond = await runDiscordLoop(town, messages);
    const after = await subject.figures();
    return {
      perSecond,
      cpuMicros: ((after.cpuSeconds - before.cpuSeconds) / messages) * 1e6,
      rssMb: after.rssBytes / 2 ** 20,
    };
  } finally {
    await subject.close();
    await town.close();
  }
}

function judge(rounds: Record<Kind, readonly Round[]>): readonly Bar[] {
  const middle = (kind: Kind, field: keyof Round) => median(rounds[kind].map((round) => round[field]));
  const ratio = (field: keyof Round) =>
    median(
      rounds["banyan on discord"].map((round, at) => round[field] / (rounds["discord.js"][at]?.[field] ?? Number.NaN)),
    );
  const pair = (field: keyof Round) =>
    `${middle("banyan on discord", field).toFixed(0)} to ${middle("discord.js", field).toFixed(0)}`;
  return [
    {
      name: "throughput to discord.js",
      measured: ratio("perSecond"),
      limit: 0.9,
      side: "at least",
      unit: "×",
      detail: `${pair("perSecond")} messages/s, CPU ${pair("cpuMicros")} µs a message`,
    },
    {
      name: "memory to discord.js",
      measured: ratio("rssMb"),
      limit: 1.5,
      side: "at most",
      unit: "×",
      detail: `${pair("rssMb")} MB at the end of the loop`,
    },
  ];
}
