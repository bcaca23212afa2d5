import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, stateDirOf } from "./banyan-process.ts";

const BIN = new URL("../../src/bin.ts", import.meta.url).pathname;
/** Only ends a process that hangs. */
const LIMIT_MS = 180_000;
const REFUSED =
  /^banyan: Opening the gateway: it needs 32 more open files and may have \d+; raise the limit \(for example ulimit -n 1024\) and start again\n$/;

/** `banyan start` where no more files may be open at once; ended in order as soon as it is ready. */
async function startWith(files: number) {
  const folder = makeFolder();
  const child = spawn("sh", ["-c", `ulimit -n ${files}; exec "$0" "$@"`, process.execPath, BIN, "start"], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", BANYAN_STATE_DIR: stateDirOf(folder), BANYAN_PORT: "0" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      printed[name] += text;
      if (printed.stdout.includes("Ready in")) child.kill("SIGTERM");
    });
  }
  await once(child, "close");
  return { code: child.exitCode, ...printed };
}

test.each([24, 28, 32, 36, 40, 44, 48])(
  "with %i files a start ends with the reason and the cure",
  async (files) => {
    const { code, stdout, stderr } = await startWith(files);
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: "", stderr: expect.stringMatching(REFUSED) });
  },
  LIMIT_MS,
);

test(
  "with 96 files it starts, and stops in order",
  async () => {
    const { code, stdout, stderr } = await startWith(96);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: expect.stringContaining("Ready in"), stderr: "" });
  },
  LIMIT_MS,
);
