import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import { waitForFirstPoll } from "./first-poll.ts";
import { openTown, type Town } from "./town.ts";

/** The program as it runs from source. */
export const SOURCE_PROGRAM: string = new URL("../../packages/cli/src/bin-from-source.js", import.meta.url).pathname;

/** `banyan start` with a town of its own, from its spawn to its end. */
export class StartedProgram {
  readonly #child: ChildProcess;
  readonly #town: Town;
  /** Milliseconds from the spawn to the first poll that the platform saw. */
  readonly openedMs: number;

  private constructor(child: ChildProcess, town: Town, openedMs: number) {
    this.#child = child;
    this.#town = town;
    this.openedMs = openedMs;
  }

  static async open(program: string, cwd: string): Promise<StartedProgram> {
    const town = await openTown(1);
    const child = spawn(process.execPath, [program, "start"], {
      cwd,
      env: {
        PATH: process.env.PATH,
        HOME: cwd,
        TELEGRAM_BOT_TOKEN: BOT_TOKEN,
        TELEGRAM_API_BASE_URL: town.telegram.url,
      },
      stdio: ["ignore", "ignore", "inherit"],
    });
    return new StartedProgram(child, town, await waitForFirstPoll(child, town));
  }

  readRssBytes(): number {
    return Number(execFileSync("ps", ["-o", "rss=", "-p", String(this.#child.pid)], { encoding: "utf8" })) * 1024;
  }

  /** An orderly stop, so that the compile cache is written. */
  async close(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await exit;
    await this.#town.close();
  }
}
