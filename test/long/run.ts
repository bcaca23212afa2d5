/** `pnpm test:long`: runs what `pnpm test` leaves out, with a seed that is drawn and printed. */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HELP = `pnpm test:long [--all] [--only TEXT] [--seed N] [path …]

  path         only files whose path contains one of these texts, such as test/crash
  --only TEXT  only tests whose name contains this text, such as "T3.after"
  --all        also what pnpm test runs
  --seed N     the order and the examples of an earlier run (default: drawn, and printed)

A failure does not end the run. The summary at the end lists what failed.
`;
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
/** As large as they can be without being hard to type. */
const SEEDS = 1_000_000;

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${HELP}`);
  process.exitCode = 2;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      only: { type: "string" },
      seed: { type: "string", default: String(randomInt(SEEDS)) },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (!/^\d{1,9}$/.test(values.seed)) {
    throw new TypeError(
      `running the long tests: --seed takes a whole number of at most 9 digits, received ${values.seed}`,
    );
  }
  process.stdout.write(`seed ${values.seed}; the same order and examples again: --seed ${values.seed}\n`);
  const projects = ["long", "long-stories", ...(values.all ? ["quick", "stories"] : [])];
  const args = ["run", ...projects.flatMap((project) => ["--project", project])];
  if (values.only !== undefined) args.push("--testNamePattern", values.only.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const child = spawn(process.execPath, [VITEST, ...args, ...positionals], {
    cwd: REPOSITORY,
    env: { ...process.env, TEST_SEED: values.seed },
    stdio: "inherit",
  });
  const [code]: (number | null)[] = await once(child, "exit");
  return code ?? 1;
}
