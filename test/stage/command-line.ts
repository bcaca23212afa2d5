import { execFile } from "node:child_process";
import { promisify } from "node:util";

const BIN = new URL("../../packages/cli/src/bin-from-source.js", import.meta.url).pathname;
const PATIENCE_MS = 60_000;

/** Runs `banyan` in a folder, as somebody at a shell there; resolves with what it printed. Rejects when it fails. */
export async function runBanyan(folder: string, ...words: readonly string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder };
  const running = promisify(execFile)(process.execPath, [BIN, ...words], { cwd: folder, env, timeout: PATIENCE_MS });
  running.child.stdin?.end();
  return (await running).stdout;
}
