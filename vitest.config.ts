import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { FlakyReporter } from "./test/stage/flaky-reporter.ts";

const OLDEST_NODE = 24;
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  throw new Error(
    `starting the tests: they need Node ${OLDEST_NODE}, this is ${process.version}; run them as \`npx -y pnpm@12 test\`, which brings it`,
  );
}

const FOLDERS: readonly string[] = ["packages/*/test", "plugins/*/test", "test"];
/** Whole gateways as people meet them. */
const STORIES: readonly string[] = ["test/{flows,browser,crash}/**/*.test.ts"];
const LONG = "**/*.long.test.ts";
const INSTALLED = "**/node_modules/**";

/** They take longest, so they begin first: begun last, one would run alone at the end. */
const LONGEST: readonly string[] = ["crash/tree.long.", "crash/kills.", "flows/", "browser/", "simulation/simulation."];

/** The longest, then by name: the same order each time, whatever an earlier run has taken. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
      return at < 0 ? LONGEST.length : at;
    };
    return files.toSorted((one, other) => place(one) - place(other) || (one.moduleId < other.moduleId ? -1 : 1));
  }
}

export default defineConfig({
  test: {
    environment: "node",
    // Two forks that keep their modules. No module holds state (a house rule), so files may share them: 8 s, where a
    // fork for each file takes 27 s on the same two cores. A process of its own, as tests kill and spawn processes.
    pool: "forks",
    isolate: false,
    // By itself vitest leaves one core out, which on two cores doubles the time.
    maxWorkers: "100%",
    // Node itself runs the TypeScript, exactly as it runs the product: workers and `import.meta.resolve` included.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    // They end what hangs, also on a machine that does other things; nothing that makes progress comes near.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    teardownTimeout: 10_000,
    sequence: { sequencer: LongestFirst },
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    reporters: ["default", new FlakyReporter()],
    projects: [
      {
        extends: true,
        test: {
          // `pnpm test`, with the stories: the same tests in the same order, drawn from the same seeds, each time.
          name: "quick",
          include: FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: [LONG, INSTALLED, "test/house/**", ...STORIES],
          setupFiles: ["./test/stage/drawn-seed.ts"],
        },
      },
      {
        extends: true,
        test: {
          // They start processes, so they are repeated once: what passed only then is told as flaky.
          name: "stories",
          include: [...STORIES],
          exclude: [LONG, INSTALLED],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry: 1,
          // Of the kills, which stand in one file.
          maxConcurrency: 2,
        },
      },
      {
        extends: true,
        test: {
          // `pnpm test:long`: in any order, drawn from seeds that are told.
          name: "long",
          include: FOLDERS.map((folder) => `${folder}/${LONG}`),
          exclude: [INSTALLED],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          retry: 1,
          // One story with real processes in each fork.
          maxConcurrency: 1,
          sequence: { shuffle: { tests: true } },
          setupFiles: ["./test/stage/drawn-seed.ts"],
        },
      },
      {
        extends: true,
        test: {
          // A part of `pnpm check`.
          name: "house",
          include: ["test/house/**/*.test.ts"],
          exclude: [INSTALLED],
          testTimeout: 180_000,
          hookTimeout: 180_000,
        },
      },
    ],
  },
});
