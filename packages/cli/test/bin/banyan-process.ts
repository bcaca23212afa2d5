import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

const BIN = new URL("../../src/bin.ts", import.meta.url).pathname;

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface BanyanProcess {
  readonly ended: Promise<Ended>;
  readonly pid: number | undefined;
  /** Resolves with all that was printed once it matches. */
  prints(pattern: RegExp): Promise<string>;
  kill(signal: NodeJS.Signals): void;
}

export interface BanyanOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on standard input, to its end. */
  readonly input?: string;
}

/** A folder of the test's own; the commands run in it, with the state below. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function stateDirOf(folder: string): string {
  return join(folder, "state");
}

/** The real command in a process of its own, killed with the test. Nothing of this machine's environment reaches it. */
export function spawnBanyan(folder: string, args: readonly string[], options: BanyanOptions = {}): BanyanProcess {
  const env = { PATH: process.env.PATH ?? "", BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0", ...options.env };
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env });
  const printed = { stdout: "", stderr: "" };
  const ended = Promise.withResolvers<Ended>();
  let look = (): void => undefined;
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      look();
    });
  }
  child.once("close", (code) => {
    ended.resolve({ code, ...printed });
    look();
  });
  child.stdin.end(options.input ?? "");
  onTestFinished(() => void child.kill("SIGKILL"));
  return {
    ended: ended.promise,
    pid: child.pid,
    kill: (signal) => void child.kill(signal),
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (pattern.test(printed.stdout)) resolve(printed.stdout);
          else if (child.exitCode !== null) reject(new Error(`It ended with ${child.exitCode}:\n${printed.stderr}`));
        };
        look();
      }),
  };
}

export function runBanyan(folder: string, args: readonly string[], options: BanyanOptions = {}): Promise<Ended> {
  return spawnBanyan(folder, args, options).ended;
}
