import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BOT_TOKEN } from "../stage/bot-token.ts";
import type { SubjectSpec } from "./subject.ts";
import type { Town } from "./town.ts";

const SUBJECT = new URL("./subject.ts", import.meta.url).pathname;

export interface Figures {
  readonly cpuSeconds: number;
  readonly rssBytes: number;
}

/** One subject under test, from its spawn to its end. */
export class SubjectProcess {
  readonly #child: ChildProcess;
  readonly #folder: string;
  /** Milliseconds from the spawn to the first poll that the platform saw. */
  readonly firstPollMs: number;

  private constructor(child: ChildProcess, folder: string, firstPollMs: number) {
    this.#child = child;
    this.#folder = folder;
    this.firstPollMs = firstPollMs;
  }

  static async open(kind: SubjectSpec["kind"], town: Town): Promise<SubjectProcess> {
    const folder = mkdtempSync(join(tmpdir(), "banyan-bench-"));
    const config = {
      stateDir: "./state",
      server: { port: 0 },
      log: { level: "error" },
      agents: { main: { runtime: "echo" } },
      channels: { telegram: { accounts: { default: { dmPolicy: "open" } } } },
    };
    writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
    const spec: SubjectSpec = { kind, token: BOT_TOKEN, apiBaseUrl: town.telegram.url, folder };
    const begun = performance.now();
    const child = spawn(process.execPath, [SUBJECT, JSON.stringify(spec)], {
      stdio: ["pipe", "ignore", "inherit", "ipc"],
    });
    while (!(await town.telegram.bot()).isPolling) {
      if (child.exitCode !== null)
        throw new Error(`the ${kind} subject ended with ${child.exitCode} before its first poll`);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return new SubjectProcess(child, folder, performance.now() - begun);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  async figures(): Promise<Figures> {
    const answer = once(this.#child, "message");
    this.#child.send("figures");
    const [figures] = await answer;
    return figures;
  }

  async close(): Promise<void> {
    const exit = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exit;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
