import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Clock } from "@banyan/plugin-sdk";

/** A process that has not ended so long after it was asked to is killed. */
const TERMINATE_LIMIT_MS = 2_000;

export interface ChildSpec {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Absolute. */
  readonly cwd: string;
}

/** A process with a group of its own, so that what it starts ends with it. Never a shell. */
export class ChildProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #clock: Clock;
  /** Resolves, with a sentence's end, when the process is gone or could not be started. */
  readonly exited: Promise<string>;
  #isGone = false;

  constructor(spec: ChildSpec, clock: Clock) {
    this.#clock = clock;
    this.#child = spawn(spec.command, spec.args, {
      cwd: spec.cwd,
      env: { ...spec.env },
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
      shell: false,
    });
    this.exited = this.#watch(spec.command);
    // Writing to one that is gone: its exit says so.
    this.#child.stdin.on("error", () => this.#child.stdin.destroy());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get streams(): Pick<ChildProcessWithoutNullStreams, "stdin" | "stdout" | "stderr"> {
    return this.#child;
  }

  /** Asks it to end, kills it when it does not, and resolves when nothing of its group is left. Repeatable. */
  async stop(): Promise<void> {
    if (this.#isGone) return;
    this.#child.stdin.end();
    this.#signal("SIGTERM");
    const cancel = this.#clock.schedule(TERMINATE_LIMIT_MS, () => this.#signal("SIGKILL"));
    await this.exited;
    cancel();
  }

  /** At once, without waiting: for the end of this process. */
  kill(): void {
    this.#signal("SIGKILL");
  }

  async #watch(command: string): Promise<string> {
    try {
      const [code, signal] = await once(this.#child, "exit");
      return signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
    } catch (error) {
      const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
      return isMissing
        ? `could not be started: there is no command ${command}; install it`
        : `could not be started: ${error}`;
    } finally {
      // What it has started and left behind.
      this.#signal("SIGKILL");
      this.#isGone = true;
    }
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#isGone) return;
    try {
      process.kill(-pid, signal);
    } catch (error) {
      // Nobody of the group is left.
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
    }
  }
}
