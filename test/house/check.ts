/**
 * `pnpm check`: runs format and lint, types, unused code and house rules concurrently. Prints the failures, and how many
 * short files are imported by only one other file; `pnpm check --lone-files` lists those files.
 */
import { join } from "node:path";
import { type CommandResult, runCommand } from "./command.ts";
import { listLoneFiles } from "./lone-file.ts";
import { REPOSITORY } from "./repository.ts";

/** Each tool with its arguments. */
const CHECKS: readonly (readonly [name: string, tool: string, ...args: readonly string[]])[] = [
  ["format and lint", "biome", "ci", "--colors=off", "--max-diagnostics=50", "."],
  ["types", "tsc", "--noEmit", "--pretty", "false"],
  ["unused code", "knip", "--no-progress", "--no-config-hints"],
  ["house rules", "vitest", "run", "--reporter=agent", "--project", "house"],
];

const startedAt = performance.now();
const results = await Promise.all(
  CHECKS.map(async ([name, tool, ...args]) => {
    const result = await runCommand(join(REPOSITORY, "node_modules/.bin", tool), args);
    console.log(formatLine(result.exitCode === 0 ? "ok" : "FAILED", name, result.durationMs));
    return { name, result };
  }),
);
const failed = results.filter(({ result }) => result.exitCode !== 0);
for (const { name, result } of failed) console.log(formatFailure(name, result));
const loneFiles = listLoneFiles();
if (process.argv.includes("--lone-files")) console.log(loneFiles.join("\n"));
console.log(`${loneFiles.length} short files are imported by only one other file.`);
const durationMs = performance.now() - startedAt;
console.log(formatLine(failed.length === 0 ? "ok" : "FAILED", "all checks", durationMs));
process.exitCode = failed.length === 0 ? 0 : 1;

function formatLine(outcome: string, name: string, durationMs: number): string {
  return `${outcome.padEnd(7)} ${name.padEnd(16)} ${(durationMs / 1_000).toFixed(1).padStart(5)} s`;
}

function formatFailure(name: string, { output }: CommandResult): string {
  return `\n── ${name} ──\n${output.trim()}\n`;
}
