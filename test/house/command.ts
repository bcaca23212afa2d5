import { spawn } from "node:child_process";
import { REPOSITORY } from "./repository.ts";

export interface CommandResult {
  readonly exitCode: number;
  /** Standard output and error as they came. */
  readonly output: string;
  readonly durationMs: number;
}

/** Runs a program to its end, by default at the top of the repository. Its output is plain: no colours. */
export function runCommand(
  program: string,
  args: readonly string[],
  folder: string = REPOSITORY,
): Promise<CommandResult> {
  const startedAt = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>();
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
  }
  child.once("error", reject);
  child.once("close", (code) => {
    resolve({ exitCode: code ?? 1, output, durationMs: performance.now() - startedAt });
  });
  return promise;
}
