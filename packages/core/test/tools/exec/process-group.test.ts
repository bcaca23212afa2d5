import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { createSystemClock } from "../../../src/ports/ports.ts";
import { type ProcessSpec, runProcessGroup } from "../../../src/tools/exec/process-group.ts";

const clock = createSystemClock();

function order(argv: readonly string[], more: Partial<ProcessSpec> = {}): ProcessSpec {
  const env = { PATH: process.env.PATH ?? "" };
  const { signal } = new AbortController();
  const scrub = (text: string) => text;
  return { argv, cwd: "/", env, timeoutMs: 10_000, outputLimitBytes: 1_000, scrub, signal, ...more };
}

test("tells how a program ended, and what it wrote", async () => {
  const end = await runProcessGroup(
    order(["node", "-e", "console.log('out'); console.error('err'); process.exit(3)"]),
    clock,
  );
  expect(end.how).toEqual({ kind: "exit", code: 3 });
  expect(end.output.split("\n").toSorted()).toEqual(["", "err", "out"]);
});

test("a program that is not there rejects", async () => {
  await expect(runProcessGroup(order(["no-such-program-anywhere"]), clock)).rejects.toMatchObject({ code: "ENOENT" });
});

test("what it started ends with it, by its group alone", async () => {
  const source =
    "const c = require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' }); console.log(c.pid); c.unref()";
  const { how, output } = await runProcessGroup(order(["node", "-e", source]), clock);
  expect(how).toEqual({ kind: "exit", code: 0 });
  await expect.poll(() => isAlive(Number(output.trim()))).toBe(false);
});

test("a signal ends it at once, also one that came before", async () => {
  const end = await runProcessGroup(order(["sleep", "600"], { signal: AbortSignal.abort() }), clock);
  expect(end.how).toEqual({ kind: "stopped" });
});

/** A zombie, whose new parent has not read its end yet, is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}
