import { spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** The line of a start that a person opens in a browser. */
const DOOR = /(http:\/\/127\.0\.0\.1:\d+)\/\?token=([\w-]+)/;

/** The last line of a start. */
const READY = /^ {2}Ready in/m;

/** A `banyan start` in a process of its own, ended with the test. */
export interface StrangerBanyan {
  readonly door: { readonly url: string; readonly token: string };
  /** What it has printed until it was ready. */
  readonly lines: string;
  /** Asks it to stop, as Ctrl-C does; resolves with its exit code. */
  stop(): Promise<number | null>;
}

/** Runs the `banyan` command that is installed in `project`, in the folder `cwd`, until it says that it is ready. */
export async function startStrangerBanyan(
  project: string,
  stateDir: string,
  cwd: string = project,
): Promise<StrangerBanyan> {
  const child = spawn(join(project, "node_modules/.bin/banyan"), ["start"], {
    cwd,
    env: {
      PATH: `${dirname(process.execPath)}:${process.env.PATH}`,
      HOME: cwd,
      NO_COLOR: "1",
      BANYAN_PORT: "0",
      BANYAN_STATE_DIR: stateDir,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(child, "exit").then(() => child.exitCode);
  onTestFinished(() => void child.kill("SIGKILL"));
  const opened = Promise.withResolvers<RegExpExecArray>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
      const door = DOOR.exec(output);
      if (door !== null && READY.test(output)) opened.resolve(door);
    });
  }
  exited.then((code) => opened.reject(new Error(`\`banyan start\` ended with ${code} before it was open:\n${output}`)));
  const [, url = "", token = ""] = await opened.promise;
  return {
    door: { url, token },
    lines: output,
    stop() {
      child.kill("SIGINT");
      return exited;
    },
  };
}
