import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

const OLDEST_NODE = 24;
if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  throw new Error(
    `starting the tests: they need Node ${OLDEST_NODE}, this is ${process.version}; run them as \`npx -y pnpm@12 test\`, which brings it`,
  );
}

/** Minutes each, so they begin first: begun last, the longest would run alone at the end. */
const LONGEST: readonly string[] = ["crash/tree.test.ts", "simulation/simulation.test.ts", "crash/crash.test.ts"];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}

export default defineConfig({
  test: {
    include: ["packages/*/test/**/*.test.ts", "plugins/*/test/**/*.test.ts", "test/**/*.test.ts"],
    environment: "node",
    // Two forks that keep their modules. No module holds state (a house rule), so files may share them: 8 s, where a
    // fork for each file takes 27 s on the same two cores. A process of its own, as tests kill and spawn processes.
    pool: "forks",
    isolate: false,
    // By itself vitest leaves one core out, which on two cores doubles the time.
    maxWorkers: "100%",
    // Node itself runs the TypeScript, exactly as it runs the product: workers and `import.meta.resolve` included.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: 15_000,
    hookTimeout: 15_000,
    teardownTimeout: 10_000,
    sequence: { sequencer: LongestFirst, shuffle: { tests: true, files: false } },
    allowOnly: false,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});
