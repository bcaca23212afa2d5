import { basename } from "node:path";
import { type CommandResult, runCommand } from "../house/command.ts";

/** Runs pnpm: the one that runs this process, or the one that npx brings. */
export function runPnpm(args: readonly string[], folder?: string): Promise<CommandResult> {
  const running = process.env.npm_execpath;
  if (running !== undefined && basename(running).startsWith("pnpm")) return runCommand(running, args, folder);
  return runCommand("npx", ["-y", "pnpm@12", ...args], folder);
}
