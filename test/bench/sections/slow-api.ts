import type { Bar } from "../bar.ts";
import { runNumberedBurst } from "../load.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import type { SubjectKind } from "../subject.ts";
import { SubjectProcess } from "../subject-process.ts";
import { openTown } from "../town.ts";

const CALL_MS = 50;
/** The bare bot sends one after the other: more would take minutes and say no more. */
const SIZES: Readonly<Record<"grammy" | "banyan", { readonly people: number; readonly each: number }>> = {
  grammy: { people: 30, each: 2 },
  banyan: { people: 1_000, each: 4 },
};

/** A platform far away: what is sent in parallel over chats, and in order within one. */
export const slowApi: Section = {
  name: "slow",
  about: `messages a second when each API call takes ${CALL_MS} ms, order within a chat checked`,
  async measure({ pairs, tell }): Promise<readonly Bar[]> {
    const ratios: number[] = [];
    const rates: number[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      const grammy = await measureRate("grammy");
      const banyan = await measureRate("banyan");
      tell(`slow ${pair}/${pairs}  grammy ${grammy.toFixed(1)}/s, banyan ${Math.round(banyan)}/s, in order`);
      ratios.push(banyan / grammy);
      rates.push(banyan);
    }
    const detail = `${Math.round(median(rates))}/s, every chat in order`;
    return [{ name: `${CALL_MS} ms a call`, measured: median(ratios), limit: 20, side: "at least", unit: "×", detail }];
  },
};

async function measureRate(kind: SubjectKind & keyof typeof SIZES): Promise<number> {
  const { people, each } = SIZES[kind];
  const town = await openTown(people);
  const subject = await SubjectProcess.open(kind, town);
  try {
    await town.telegram.faults.add({ kind: "delay", delayMs: CALL_MS, times: "always" });
    return await runNumberedBurst(town, each);
  } finally {
    await town.telegram.faults.clear();
    await subject.close();
    await town.close();
  }
}
