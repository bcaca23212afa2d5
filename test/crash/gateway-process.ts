import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { openCompileFolder } from "../../packages/cli/src/compile-cache.js";
import type { ChildSpec } from "./crash-child.ts";

const CHILD = new URL("./crash-child.ts", import.meta.url).pathname;
/** The compile cache, for the product as well: half of what a start costs. */
const COMPILED = openCompileFolder();
const PATIENCE_MS = 60_000;

/** One life of a gateway as a process of its own. */
export class GatewayProcess {
  readonly #child: ChildProcess;
  readonly #log: string[];
  /** Where it listens; empty when it has died on the way. */
  readonly url: string;

  private constructor(child: ChildProcess, url: string, log: string[]) {
    this.#child = child;
    this.url = url;
    this.#log = log;
  }

  /** Resolves when the gateway is open, or has died on the way. Its log is written behind `log`. */
  static async start(spec: ChildSpec, log: string[]): Promise<GatewayProcess> {
    const child = spawn(process.execPath, [CHILD, JSON.stringify(spec)], {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...(COMPILED === undefined ? {} : { NODE_COMPILE_CACHE: COMPILED }), ...process.env },
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => log.push(text));
    const [first] = await Promise.race([once(child.stdout, "data"), once(child, "exit").then(() => [""])]);
    return new GatewayProcess(child, String(first).trim(), log);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Of an end that no signal brought. */
  get exitCode(): number | null {
    return this.#child.exitCode;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  signal(name: "SIGKILL" | "SIGSTOP" | "SIGCONT" | "SIGTERM" | "SIGUSR2"): void {
    this.#child.kill(name);
  }

  /** Resolves when the process is gone. */
  async ended(): Promise<void> {
    if (!this.hasEnded) await once(this.#child, "exit");
  }

  /** Waits for the process to be killed; fails when the point it should die at is not passed. */
  async died(what: string): Promise<void> {
    await this.#exit(`${what} was never passed`);
    assert.equal(this.#child.signalCode, "SIGKILL", `${what}: the process ended otherwise\n${this.#log.join("")}`);
  }

  /** Waits until the gateway has given up by itself. Resolves with its exit code. */
  async gaveUp(): Promise<number | null> {
    await this.#exit("the gateway did not give up");
    return this.#child.exitCode;
  }

  /** Ends the gateway in order. */
  async stop(): Promise<number | null> {
    if (!this.hasEnded) {
      this.#child.kill("SIGTERM");
      await once(this.#child, "exit");
    }
    return this.#child.exitCode;
  }

  async #exit(otherwise: string): Promise<void> {
    if (this.hasEnded) return;
    const limit = AbortSignal.timeout(PATIENCE_MS);
    await once(this.#child, "exit", { signal: limit }).catch(() => assert.fail(`${otherwise}\n${this.#log.join("")}`));
  }
}
