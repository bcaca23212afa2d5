import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeGroveFolder } from "../stage/grove.ts";

const BIN = new URL("../../packages/cli/src/bin.ts", import.meta.url).pathname;
const LEAKY = readFileSync(new URL("../stage/leaky-channel.ts", import.meta.url), "utf8");
const PASSWORD = "canary-password-0815";
const BROKEN = `throw new Error("Importing failed with " + process.env.LEAKY_PASSWORD);`;

/** Runs `banyan start` in front of a plugin until it ends; what it printed, and what it left in the folder `reports`. */
async function startWith(plugin: string, mood: string) {
  const folder = makeGroveFolder({
    files: { "leaky-channel.ts": plugin },
    config: {
      log: { level: "debug" },
      plugins: ["./leaky-channel.ts"],
      channels: { leaky: { accounts: { default: { password: "env:LEAKY_PASSWORD", mood } } } },
    },
  });
  const reports = join(folder, "reports");
  mkdirSync(reports);
  const child = spawn(process.execPath, [BIN, "start"], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      LEAKY_PASSWORD: PASSWORD,
      BANYAN_LOG_LEVEL: "debug",
      NODE_OPTIONS: `--report-uncaught-exception --report-on-signal --report-directory=${reports}`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  }
  await once(child, "close");
  const left = readdirSync(reports).map((name) => readFileSync(join(reports, name), "utf8"));
  writeFileSync(join(folder, "printed.txt"), printed);
  return { code: child.exitCode, printed, left };
}

test.each([
  { what: "that nobody catches", plugin: LEAKY, mood: "throws-later", says: /Nobody catches https:.*\[secret\]/ },
  {
    what: "of a promise that nobody awaits",
    plugin: LEAKY,
    mood: "rejects-later",
    says: /Nobody awaits https:.*\[secret\]/,
  },
  { what: "of a plugin's import", plugin: BROKEN, mood: "talks", says: /Importing failed with \[secret\]/ },
])("attack 18: an error $what ends the process, and is printed without secrets", async ({ plugin, mood, says }) => {
  const { code, printed, left } = await startWith(plugin, mood);
  expect(code).toBe(1);
  expect(printed).toMatch(says);
  expect(printed).not.toContain(PASSWORD);
  expect(left.filter((report) => report.includes(PASSWORD))).toEqual([]);
});
