import { describe, expect, test, vi } from "vitest";
import { runProgram } from "../../src/program.ts";

/** Runs a command line in this process; only what ends before it reads anything. */
async function run(line: string): Promise<{ code: number; out: string; err: string }> {
  const printed = { out: "", err: "" };
  const catchIn = (name: "out" | "err") => (text: string | Uint8Array) => {
    printed[name] += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(catchIn("out"));
  vi.spyOn(process.stderr, "write").mockImplementation(catchIn("err"));
  const code = await runProgram(["node", "banyan", ...line.split(" ").filter((word) => word !== "")]);
  vi.restoreAllMocks();
  return { code, ...printed };
}

describe("a wrong command line ends with 2 and says what was wrong", () => {
  test.each([
    ["", "Usage: banyan"],
    ["frob", "unknown command 'frob'"],
    ["stat", "Did you mean"],
    ["status --jsn", "unknown option '--jsn'"],
    ["sessions", "Usage: banyan sessions"],
    ["sessions list --limit 0", "Give a whole number from 1 on"],
    ["sessions show", "missing required argument 'session'"],
    ["sessions export", "name some, or all of them with --all, not both"],
    ["sessions export main --all", "name some, or all of them with --all, not both"],
    ["outbox list --state lost", "Allowed choices are pending"],
    ["pair", "Usage: banyan pair"],
    ["pair list --state lost", "Allowed choices are pending"],
    ["pair approve", "missing required argument 'code'"],
    ["outbox retry", "name one by its id, or all that wait with --all"],
    ["outbox retry 9f3a --all", "name one by its id, or all that wait with --all"],
    ["outbox retry 9f3a --state stuck", "--state goes with --all"],
  ])("banyan %s", async (line, wrong) => {
    const { code, err } = await run(line);
    expect([code, err]).toEqual([2, expect.stringContaining(wrong)]);
  });
});

describe("--help shows examples", () => {
  test.each([
    "",
    "start",
    "chat",
    "status",
    "sessions",
    "sessions list",
    "sessions show",
    "sessions export",
    "outbox",
    "outbox list",
    "outbox retry",
    "outbox drop",
    "audit",
    "pair",
    "pair list",
    "pair approve",
    "pair deny",
  ])("banyan %s --help", async (command) => {
    const { code, out } = await run(`${command} --help`);
    expect([code, out]).toEqual([0, expect.stringContaining(`Examples:\n  banyan ${command}`.trimEnd())]);
  });
});
