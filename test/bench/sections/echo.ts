import type { Bar } from "../bar.ts";
import { runClosedLoop, runSteadyPace } from "../load.ts";
import { median } from "../median.ts";
import type { Section, SectionOptions } from "../section.ts";
import type { SubjectKind } from "../subject.ts";
import { SubjectProcess } from "../subject-process.ts";
import { openTown } from "../town.ts";

const PEOPLE = 1_000;
const STEADY_PER_SECOND = 100;
const STEADY_MESSAGES = 1_000;
const KINDS = ["grammy", "runner", "runner on ctx.fetch", "banyan"] as const satisfies readonly SubjectKind[];
type Kind = (typeof KINDS)[number];

interface Round {
  readonly perSecond: number;
  readonly cpuMsPerMessage: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMb: number;
}

/** Throughput, CPU and latency: everybody against the bare bot, in interleaved rounds of one run. */
export const echo: Section = {
  name: "echo",
  about: "messages a second, CPU per message, added latency",
  async measure(options) {
    const rounds: Record<Kind, Round[]> = { grammy: [], runner: [], "runner on ctx.fetch": [], banyan: [] };
    for (let pair = 1; pair <= options.pairs; pair += 1) {
      for (const kind of KINDS) {
        const round = await measureRound(kind, options.messages);
        rounds[kind].push(round);
        options.tell(`echo ${pair}/${options.pairs}  ${kind.padEnd(19)} ${formatRound(round)}`);
      }
    }
    return judge(rounds, options);
  },
};

async function measureRound(kind: Kind, messages: number): Promise<Round> {
  const town = await openTown(PEOPLE);
  const subject = await SubjectProcess.open(kind, town);
  try {
    await runClosedLoop(town, 2 * PEOPLE);
    const before = await subject.figures();
    const perSecond = await runClosedLoop(town, messages);
    const after = await subject.figures();
    const isTimed = kind === "grammy" || kind === "banyan";
    if (isTimed) await subject.quiet();
    const latencies = isTimed ? await runSteadyPace(town, STEADY_PER_SECOND, STEADY_MESSAGES) : [];
    const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
    return {
      perSecond,
      cpuMsPerMessage: ((after.cpuSeconds - before.cpuSeconds) / messages) * 1000,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      rssMb: after.rssBytes / 2 ** 20,
    };
  } finally {
    await subject.close();
    await town.close();
  }
}

function formatRound({ perSecond, cpuMsPerMessage, p50Ms, p99Ms, rssMb }: Round): string {
  const latency = Number.isNaN(p50Ms) ? "" : `, p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
  const cpu = (cpuMsPerMessage * 1000).toFixed(0);
  return `${Math.round(perSecond)} messages/s, ${cpu} µs CPU${latency}, ${rssMb.toFixed(0)} MB`;
}

function judge(rounds: Record<Kind, readonly Round[]>, { calibration }: SectionOptions): readonly Bar[] {
  const middle = (kind: Kind, field: keyof Round) => median(rounds[kind].map((round) => round[field]));
  const ratio = (field: keyof Round, to: Kind) =>
    median(rounds.banyan.map((round, pair) => round[field] / (rounds[to][pair]?.[field] ?? Number.NaN)));
  const perSecond = (kind: Kind) => `${Math.round(middle(kind, "perSecond"))}/s`;
  const micros = (kind: Kind) => `${(middle(kind, "cpuMsPerMessage") * 1000).toFixed(0)} µs`;
  const added = median(rounds.banyan.map((round, pair) => round.p50Ms - (rounds.grammy[pair]?.p50Ms ?? Number.NaN)));
  return [
    {
      name: "throughput to bot.start",
      measured: ratio("perSecond", "grammy"),
      limit: 1.8,
      side: "at least",
      unit: "×",
      detail: `${perSecond("banyan")} to ${perSecond("grammy")}`,
    },
    {
      name: "throughput to its runner",
      measured: ratio("perSecond", "runner on ctx.fetch"),
      limit: 0.6,
      side: "at least",
      unit: "×",
      detail: `on the same transport ${perSecond("runner on ctx.fetch")}; on grammY's own ${perSecond("runner")}`,
    },
    {
      name: "CPU per message",
      measured: ratio("cpuMsPerMessage", "grammy"),
      limit: 0.8,
      side: "at most",
      unit: "×",
      detail: `${micros("banyan")} to ${micros("grammy")}, all threads`,
    },
    {
      name: "added p50 at 100/s",
      measured: added,
      limit: 2 * calibration.fsyncMs + 0.7,
      side: "at most",
      unit: "ms",
      detail: `p50 ${middle("banyan", "p50Ms").toFixed(2)} to ${middle("grammy", "p50Ms").toFixed(2)} ms, p99 ${middle("banyan", "p99Ms").toFixed(1)} to ${middle("grammy", "p99Ms").toFixed(1)} ms; the bar is two syncs + 0.7 ms`,
    },
  ];
}
