import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { createSystemClock } from "../../../src/ports/ports.ts";
import { EXEC_MARK } from "../../../src/tools/exec/environment.ts";
import { runProcessGroup, watchGroup } from "../../../src/tools/exec/process-group.ts";

const SOURCES = pathToFileURL(join(import.meta.dirname, "../../../src")).href;
const isLinux = process.platform === "linux";

/** Takes the place of a gateway: runs one program with the module of the tool. */
const HOST = `
import { createSystemClock } from "${SOURCES}/ports/ports.ts";
import { runProcessGroup } from "${SOURCES}/tools/exec/process-group.ts";
const [mark, ...argv] = process.argv.slice(1);
const env = { PATH: process.env.PATH, ...(mark && { ${EXEC_MARK}: mark }) };
const signal = new AbortController().signal;
const end = await runProcessGroup({ argv, cwd: "/", env, timeoutMs: 600_000, outputLimitBytes: 1_000, signal }, createSystemClock());
console.log(end.output);
`;

/** A gateway that dies before it has named the group that it started. */
const HASTY_HOST = `
import { spawn } from "node:child_process";
import { ${watchGroup.name} } from "${SOURCES}/tools/exec/process-group.ts";
const [mark, program, ...args] = process.argv.slice(1);
${watchGroup.name}(mark);
spawn(program, args, { env: { PATH: process.env.PATH, ${EXEC_MARK}: mark }, detached: true, stdio: "ignore" });
`;

/** Writes its own id and that of a helper into the file, and goes on as long as that one. */
const PROGRAM = (file: string, options: string) => `
const { spawn } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const helper = spawn("sleep", ["600"], ${options});
writeFileSync("${file}", process.pid + " " + helper.pid);
`;

function createFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-group-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "pids");
}

/** The gateway, and what runs below it. */
async function openHost(given: {
  readonly helper: string;
  /** Absent: what it runs is known by its group alone. */
  readonly mark?: string;
  readonly source?: string;
}): Promise<{ readonly host: ChildProcess; readonly pids: readonly number[] }> {
  const { helper, mark = "", source = HOST } = given;
  const file = createFile();
  const argv = [mark, process.execPath, "-e", PROGRAM(file, helper)];
  const host = spawn(process.execPath, ["--input-type=module", "-e", source, ...argv], { stdio: "ignore" });
  onTestFinished(() => void host.kill("SIGKILL"));
  await expect.poll(() => readPids(file)).toHaveLength(2);
  const pids = readPids(file);
  onTestFinished(() => void spawnSync("kill", ["-KILL", ...pids.filter(isAlive).map(String)]));
  return { host, pids };
}

function readPids(file: string): readonly number[] {
  try {
    return readFileSync(file, "utf8").split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

/** A zombie, whose new parent has not read its end yet, is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

/** Watchers that this process has. */
function countWatchers(): number {
  const { stdout } = spawnSync("ps", ["-eo", "ppid=,stat=,comm="], { encoding: "utf8" });
  const own = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return own.filter(([ppid, stat = "", comm]) => ppid === String(process.pid) && comm === "sh" && stat[0] !== "Z")
    .length;
}

function order(argv: readonly string[], mark = "a-mark-of-the-watch-test") {
  const env = { PATH: process.env.PATH ?? "", [EXEC_MARK]: mark };
  const { signal } = new AbortController();
  const scrub = (text: string) => text;
  return { argv, cwd: "/", env, timeoutMs: 10_000, outputLimitBytes: 1_000, scrub, signal };
}

test("a program and what it has started end with the gateway's process, also where that is killed", async () => {
  const { host, pids } = await openHost({ helper: "{ stdio: 'ignore' }" });
  expect(pids.map(isAlive)).toEqual([true, true]);
  host.kill("SIGKILL");
  await expect.poll(() => pids.map(isAlive)).toEqual([false, false]);
});

test("also where the gateway's whole group is killed, as a terminal does", async () => {
  const file = createFile();
  const argv = ["a-group-mark", process.execPath, "-e", PROGRAM(file, "{}")];
  const options = { stdio: "ignore", detached: true } as const;
  const host = spawn(process.execPath, ["--input-type=module", "-e", HOST, ...argv], options);
  await expect.poll(() => readPids(file)).toHaveLength(2);
  process.kill(-(host.pid ?? 0), "SIGKILL");
  await expect.poll(() => readPids(file).map(isAlive)).toEqual([false, false]);
});

test("on Linux so does what has left the program's group", async () => {
  const { host, pids } = await openHost({ helper: "{ stdio: 'ignore', detached: true }", mark: "a-mark-of-leavers" });
  host.kill("SIGKILL");
  await expect.poll(() => pids.map(isAlive)).toEqual([false, !isLinux]);
});

test("on Linux so does what was just being started", async () => {
  const { host, pids } = await openHost({ helper: "{ stdio: 'ignore' }", mark: "a-mark-of-haste", source: HASTY_HOST });
  host.kill("SIGKILL");
  await expect.poll(() => pids.map(isAlive)).toEqual([!isLinux, !isLinux]);
});

test("a program ends as it would without a watcher, and none is left behind it", async () => {
  const clock = createSystemClock();
  const before = countWatchers();
  const source = "process.stdin.on('end', () => process.exit(3)).resume(); console.log(process.ppid)";
  const running = runProcessGroup(order([process.execPath, "-e", source]), clock);
  expect(await running).toMatchObject({ how: { kind: "exit", code: 3 }, output: `${process.pid}\n` });
  await expect(runProcessGroup(order(["no-such-program-anywhere"]), clock)).rejects.toMatchObject({ code: "ENOENT" });
  const long = order([
    process.execPath,
    ..."x"
      .repeat(40)
      .split("")
      .map((x) => x.repeat(120_000)),
  ]);
  await expect(runProcessGroup(long, clock)).rejects.toMatchObject({ code: "E2BIG" });
  const killed = await runProcessGroup(order([process.execPath, "-e", "process.kill(process.pid, 'SIGTERM')"]), clock);
  expect(killed.how).toEqual({ kind: "signal", name: "SIGTERM" });
  const late = await runProcessGroup({ ...order(["sleep", "600"]), timeoutMs: 10 }, clock);
  expect(late.how).toEqual({ kind: "timeout" });
  await expect.poll(countWatchers).toBeLessThanOrEqual(before);
});

test("a program has its three pipes and nothing of the watcher's, nor a child that it has not started", async () => {
  const source =
    "const { fstatSync, readdirSync } = require('node:fs');" +
    "const stat = (fd) => { try { return fstatSync(fd); } catch { return undefined; } };" +
    "const held = readdirSync('/dev/fd').map((fd) => stat(Number(fd)));" +
    "const all = require('node:child_process').execSync('ps -eo ppid=,comm=', { encoding: 'utf8' }).split('\\n');" +
    "const own = all.filter((line) => line.trim().startsWith(process.pid + ' '));" +
    "console.log(held.filter((one) => one?.isFIFO() || one?.isSocket()).length, own.length);";
  // Of the runtime's own there are as many without a watcher.
  const alone = spawnSync(process.execPath, ["-e", source], { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8" });
  const watched = await runProcessGroup(order([process.execPath, "-e", source]), createSystemClock());
  expect(watched.output).toBe(alone.stdout);
  expect(watched.output).toMatch(/^\d+ 1\n$/);
});
