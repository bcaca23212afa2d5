/**
 * `pnpm test:long`: what `pnpm test` leaves out, in an order that is drawn and told; with `--all` that, too, before it.
 * Goes on behind a failure; what failed is listed at the end.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const HELP = `pnpm test:long [--all] [--only TEXT] [--seed N] [path …]

  path         only files whose path holds one of these texts, such as test/crash
  --only TEXT  only tests whose name holds this text, such as "T3.after"
  --all        before it what pnpm test runs
  --seed N     order and examples of an earlier run (default: drawn, and printed)
`;
const REPOSITORY = fileURLToPath(new URL("../..", import.meta.url));
const VITEST = fileURLToPath(new URL("../../node_modules/vitest/vitest.mjs", import.meta.url));
/** As large as they can be without being hard to type. */
const SEEDS = 1_000_000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    all: { type: "boolean", default: false },
    only: { type: "string" },
    seed: { type: "string" },
    help: { type: "boolean", short: "h", default: false },
  },
});
if (values.help) process.stdout.write(HELP);
else process.exitCode = await runAll(values.seed ?? String(randomInt(SEEDS)));

async function runAll(seed: string): Promise<number> {
  const runs = values.all
    ? [["test", "quick", "stories"] as const, ["test:long", "long"] as const]
    : [["test:long", "long"] as const];
  const lines: string[] = [];
  let failed = 0;
  process.stdout.write(`order and examples of pnpm test:long are those of --seed ${seed}\n`);
  for (const [name, ...projects] of runs) {
    const begin = performance.now();
    const exitCode = await runProjects(projects, name === "test" ? {} : { TEST_SEED: seed });
    if (exitCode !== 0) failed += 1;
    const seconds = ((performance.now() - begin) / 1_000).toFixed();
    lines.push(`${exitCode === 0 ? "ok    " : "FAILED"} pnpm ${name} after ${seconds} s`);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
  return failed === 0 ? 0 : 1;
}

/** Resolves with vitest's exit code. */
async function runProjects(projects: readonly string[], drawn: { readonly TEST_SEED?: string }): Promise<number> {
  const args = ["run", ...projects.flatMap((project) => ["--project", project])];
  if (drawn.TEST_SEED !== undefined) args.push(`--sequence.seed=${drawn.TEST_SEED}`);
  if (values.only !== undefined) args.push("--testNamePattern", values.only.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  if (values.all) args.push("--passWithNoTests");
  const child = spawn(process.execPath, [VITEST, ...args, ...positionals], {
    cwd: REPOSITORY,
    env: { ...process.env, ...drawn },
    stdio: "inherit",
  });
  const [code]: (number | null)[] = await once(child, "exit");
  return code ?? 1;
}
