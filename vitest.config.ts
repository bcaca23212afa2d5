import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { LongReporter } from "./test/long/long-reporter.ts";
import { FlakyReporter } from "./test/stage/flaky-reporter.ts";

const OLDEST_NODE = 24;
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  throw new Error(
    `starting the tests: they need Node ${OLDEST_NODE}, this is ${process.version}; run them as \`npx -y pnpm@12 test\`, which brings it`,
  );
}

const FOLDERS: readonly string[] = ["packages/*/test", "plugins/*/test", "test"];
/** Tests of whole gateways, browsers and programs. Most of them start processes. */
const STORIES: readonly string[] = [
  "test/{browser,capabilities,crash,flows,package,security}",
  "packages/runtime-acp/test",
];
const EVERY_TEST = "**/*.test.ts";
const LONG_TEST = "**/*.long.test.ts";
const INSTALLED = "**/node_modules/**";

/** At most so many stories at a time, over all workers: each has several processes. */
const MAX_STORIES = 2;
const UNIT_LIMIT_MS = 60_000;
const STORY_LIMIT_MS = 180_000;
/** The order and the examples of every `pnpm test`. `pnpm test:long` draws another seed and prints it. */
const FIXED_SEED = 20_260_731;
const LONG_SEED = process.env.TEST_SEED === undefined ? FIXED_SEED : Number(process.env.TEST_SEED);

/** These take longest. They begin first, so that none of them runs alone at the end. */
const LONGEST: readonly string[] = ["crash/tree.long.", "crash/crash.long.", "crash/kills.", "flows/", "simulation/"];

/** Orders files by how long they take, then by name: the same order each time, whatever an earlier run measured. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.includes(`/test/${name}`));
      return at < 0 ? LONGEST.length : at;
    };
    return files.toSorted((one, other) => place(one) - place(other) || (one.moduleId < other.moduleId ? -1 : 1));
  }
}

const below = (folders: readonly string[], pattern: string) => folders.map((folder) => `${folder}/${pattern}`);

/** What differs between tests of units and stories. The groups run one after the other. */
const UNITS = { testTimeout: UNIT_LIMIT_MS, hookTimeout: UNIT_LIMIT_MS, setupFiles: ["./test/stage/seed.ts"] };
const STORIES_OPTIONS = {
  ...UNITS,
  testTimeout: STORY_LIMIT_MS,
  hookTimeout: STORY_LIMIT_MS,
  maxWorkers: MAX_STORIES,
  // A story that passes only when it is repeated is printed as flaky.
  retry: 1,
};

export default defineConfig({
  test: {
    environment: "node",
    // The forks keep their modules from file to file. No module holds state (a house rule), so files may share them:
    // 8 s, where a fork for each file takes 27 s on the same two cores. Forks, since tests kill and spawn processes.
    pool: "forks",
    isolate: false,
    // By default vitest leaves one core out, which doubles the time on two cores.
    maxWorkers: "100%",
    // Node itself runs the TypeScript, exactly as it runs the product: workers and `import.meta.resolve` included.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    teardownTimeout: 10_000,
    // Below the limit of a unit test, so that the reason is printed. A limit only ends what hangs.
    expect: { poll: { timeout: 50_000 } },
    sequence: { sequencer: LongestFirst, seed: LONG_SEED },
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
    reporters: ["default", ...(process.env.TEST_SEED === undefined ? [] : [new LongReporter()]), new FlakyReporter()],
    // `pnpm test` runs the first two, `pnpm test:long` the next two, `pnpm check` the last.
    projects: [
      {
        extends: true,
        test: {
          ...UNITS,
          name: "quick",
          include: below(FOLDERS, EVERY_TEST),
          exclude: [INSTALLED, LONG_TEST, "test/house/**", ...below(STORIES, "**")],
          provide: { seed: FIXED_SEED },
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          ...STORIES_OPTIONS,
          name: "stories",
          include: below(STORIES, EVERY_TEST),
          exclude: [INSTALLED, LONG_TEST],
          provide: { seed: FIXED_SEED },
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          ...UNITS,
          name: "long",
          include: below(FOLDERS, LONG_TEST),
          exclude: [INSTALLED, ...below(STORIES, "**")],
          provide: { seed: LONG_SEED },
          sequence: { groupOrder: 2, shuffle: { tests: true } },
        },
      },
      {
        extends: true,
        test: {
          ...STORIES_OPTIONS,
          name: "long-stories",
          include: below(STORIES, LONG_TEST),
          exclude: [INSTALLED],
          provide: { seed: LONG_SEED },
          sequence: { groupOrder: 3, shuffle: { tests: true } },
        },
      },
      {
        extends: true,
        test: {
          name: "house",
          include: ["test/house/**/*.test.ts"],
          exclude: [INSTALLED],
          testTimeout: STORY_LIMIT_MS,
          hookTimeout: STORY_LIMIT_MS,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
