import { setTimeout as wait } from "node:timers/promises";
import type { Bar } from "../bar.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { SubjectProcess } from "../subject-process.ts";
import { openTown, type Town } from "../town.ts";

/** Behind the check of the store's file, which comes five seconds after a start. */
const IDLE_MS = 8_000;

/** Resident memory of a gateway that nobody talks to. */
export const idle: Section = {
  name: "idle",
  about: `resident memory ${IDLE_MS / 1000} s after the first poll`,
  async measure({ pairs, tell }): Promise<readonly Bar[]> {
    const ratios: number[] = [];
    const sizes: { readonly grammy: number; readonly banyan: number }[] = [];
    for (let pair = 1; pair <= pairs; pair += 1) {
      const towns: readonly [Town, Town] = [await openTown(1), await openTown(1)];
      const grammy = await SubjectProcess.open("grammy", towns[0]);
      const banyan = await SubjectProcess.open("banyan", towns[1]);
      await wait(IDLE_MS);
      const [bare, ours] = [(await grammy.figures()).rssBytes / 2 ** 20, (await banyan.figures()).rssBytes / 2 ** 20];
      tell(`idle ${pair}/${pairs}  grammy ${bare.toFixed(0)} MB, banyan ${ours.toFixed(0)} MB`);
      ratios.push(ours / bare);
      sizes.push({ grammy: bare, banyan: ours });
      await Promise.all([grammy.close(), banyan.close()]);
      await Promise.all(towns.map((town) => town.close()));
    }
    const [ours, bare] = [median(sizes.map(({ banyan }) => banyan)), median(sizes.map(({ grammy }) => grammy))];
    const detail = `${ours.toFixed(0)} to ${bare.toFixed(0)} MB`;
    return [{ name: "idle memory", measured: median(ratios), limit: 2, side: "at most", unit: "×", detail }];
  },
};
