import { setTimeout as wait } from "node:timers/promises";
import type { Bar } from "../bar.ts";
import { makeBenchFolder } from "../bench-folder.ts";
import { installBuiltProject } from "../built-project.ts";
import { median } from "../median.ts";
import type { Section } from "../section.ts";
import { SOURCE_PROGRAM, StartedProgram } from "../started-program.ts";
import { SubjectProcess } from "../subject-process.ts";
import { openTown } from "../town.ts";

/** Behind the check of the store's file, which comes five seconds after a start. */
const IDLE_MS = 8_000;

type Form = "source" | "built";

/** In megabytes. */
interface Sizes {
  readonly bare: number;
  readonly ours: number;
}

/** Resident memory of a gateway that nobody talks to, beside a bare bot that nobody talks to. */
export const idle: Section = {
  name: "idle",
  about: `resident memory ${IDLE_MS / 1000} s after the first poll, from source and from built packages`,
  async measure({ pairs, tell }): Promise<readonly Bar[]> {
    const built = await installBuiltProject();
    try {
      return [
        await measureForm("source", SOURCE_PROGRAM, pairs, tell),
        await measureForm("built", built.program, pairs, tell),
      ];
    } finally {
      built.remove();
    }
  },
};

async function measureForm(form: Form, program: string, pairs: number, tell: (line: string) => void): Promise<Bar> {
  const { path } = makeBenchFolder();
  // The first start of each fills the compile cache, and holds a compiler.
  await measurePair(form, program, path, 0);
  const sizes: Sizes[] = [];
  for (let pair = 1; pair <= pairs; pair += 1) {
    const size = await measurePair(form, program, path, IDLE_MS);
    tell(`idle ${form} ${pair}/${pairs}  grammy ${size.bare.toFixed(0)} MB, banyan ${size.ours.toFixed(0)} MB`);
    sizes.push(size);
  }
  const [ours, bare] = [median(sizes.map((size) => size.ours)), median(sizes.map((size) => size.bare))];
  return {
    name: `idle memory, ${form}`,
    measured: median(sizes.map((size) => size.ours / size.bare)),
    limit: 2,
    side: "at most",
    unit: "×",
    detail: `${ours.toFixed(0)} to ${bare.toFixed(0)} MB`,
  };
}

async function measurePair(form: Form, program: string, cwd: string, idleMs: number): Promise<Sizes> {
  const town = await openTown(1);
  const grammy = await SubjectProcess.open("grammy", town, form);
  const banyan = await StartedProgram.open(program, cwd);
  await wait(idleMs);
  const [bare, ours] = [(await grammy.figures()).rssBytes / 2 ** 20, banyan.readRssBytes() / 2 ** 20];
  await Promise.all([grammy.close(), banyan.close()]);
  await town.close();
  return { bare, ours };
}
