import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "vitest";
import { WebPerson } from "../stage/web-person.ts";
import { GatewayLives } from "./gateway-lives.ts";
import type { KillPlan } from "./kill-plan.ts";

const TOKEN = "a-token-for-everybody";
/** Longer than a start beside others takes. */
const PATIENCE = { timeoutMs: 60_000 };
const RAN = "ran.txt";
const WORKSPACE = "workspace";

/** A program that writes down that it ran, and may take the gateway down with it. */
const PROGRAM = `
const { appendFileSync } = require("node:fs");
appendFileSync("${RAN}", "once\\n");
if (process.argv[2] === "kill") process.kill(process.ppid, "SIGKILL");
if (process.argv[2] === "wait") {
  appendFileSync("${RAN}", "pid " + process.pid + "\\n");
  require("node:net").createServer().listen(0, "127.0.0.1");
}
`;

function openLives(): GatewayLives {
  const folder = mkdtempSync(join(tmpdir(), "banyan-exec-"));
  const agents = { main: { runtime: "tree", tools: { exec: true }, workspace: WORKSPACE } };
  const config = { stateDir: "./state", server: { port: 0, token: TOKEN }, log: { level: "warn" }, agents };
  writeFileSync(join(folder, "banyan.config.json"), JSON.stringify(config));
  mkdirSync(join(folder, WORKSPACE));
  writeFileSync(join(folder, WORKSPACE, "program.cjs"), PROGRAM);
  writeFileSync(join(folder, WORKSPACE, RAN), "");
  return new GatewayLives(folder, { PATH: dirname(process.execPath) });
}

interface Death {
  readonly what: string;
  /** Absent: the program itself kills the gateway. */
  readonly kill?: KillPlan;
  readonly hears: RegExp;
  readonly ran: number;
  readonly audit: readonly string[];
}

const CUT = /was not finished: the agent was cut off while exec ran, which cannot be repeated/;

test.for<Death>([
  {
    what: "before the call is written down",
    kill: { point: "T2b.before", hit: 1 },
    hears: /^used: \[exit code 0/,
    ran: 1,
    audit: ["tool-begun", "tool-done"],
  },
  {
    what: "when it is written down, and the program has not begun",
    kill: { point: "T2b.after", hit: 1 },
    hears: CUT,
    ran: 0,
    audit: ["tool-begun"],
  },
  { what: "by the program itself", hears: CUT, ran: 1, audit: ["tool-begun"] },
  {
    what: "when the program has ended, before its result is written",
    kill: { point: "T2b.before", hit: 2 },
    hears: CUT,
    ran: 1,
    audit: ["tool-begun"],
  },
  {
    what: "when its result is written",
    kill: { point: "T2b.after", hit: 2 },
    hears: /^used: \[exit code 0/,
    ran: 1,
    audit: ["tool-begun", "tool-done"],
  },
])("a program runs once at most, also where the gateway is killed $what", async (death, { expect, onTestFinished }) => {
  const { kill, hears, ran, audit } = death;
  const lives = openLives();
  onTestFinished(() => rmSync(lives.folder, { recursive: true, force: true }));
  await lives.start(kill);
  const ada = new WebPerson("ada", () => ({ url: lives.gateway.url, token: TOKEN }));
  onTestFinished(() => ada.leave());
  await ada.says(`use exec {"argv":["node","program.cjs"${kill === undefined ? ',"kill"' : ""}]}`);
  await lives.gateway.died(death.what);
  ada.leave();
  await lives.start();
  expect((await ada.hears(hears, PATIENCE)).text).toMatch(hears);
  await lives.gateway.stop();
  expect(readFileSync(join(lives.folder, WORKSPACE, RAN), "utf8")).toBe("once\n".repeat(ran));
  const rows = await lives.read((read) => read.audit({ limit: 9 }));
  expect(rows.map(({ action }) => action)).toEqual(audit);
});

test("a program that still runs ends with the gateway that is killed", async ({ expect, onTestFinished }) => {
  const lives = openLives();
  onTestFinished(() => rmSync(lives.folder, { recursive: true, force: true }));
  const gateway = await lives.start();
  const ada = new WebPerson("ada", () => ({ url: lives.gateway.url, token: TOKEN }));
  onTestFinished(() => ada.leave());
  await ada.says('use exec {"argv":["node","program.cjs","wait"]}');
  const readPid = () => Number(/^pid (\d+)$/m.exec(readFileSync(join(lives.folder, WORKSPACE, RAN), "utf8"))?.[1]);
  await expect.poll(readPid, { timeout: PATIENCE.timeoutMs }).toBeGreaterThan(0);
  expect(isAlive(readPid())).toBe(true);
  gateway.signal("SIGKILL");
  await gateway.died("while the program runs");
  await expect.poll(() => isAlive(readPid()), { timeout: PATIENCE.timeoutMs }).toBe(false);
});

/** One that is dead and not taken leave of by whoever it was left to is not alive. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return stdout.trim() !== "" && !stdout.startsWith("Z");
}

test("what is written is in the audit before it is written, also where the gateway is killed in between", async ({
  expect,
  onTestFinished,
}) => {
  const lives = openLives();
  onTestFinished(() => rmSync(lives.folder, { recursive: true, force: true }));
  await lives.start({ point: "T2b.after", hit: 1 });
  const ada = new WebPerson("ada", () => ({ url: lives.gateway.url, token: TOKEN }));
  onTestFinished(() => ada.leave());
  await ada.says('use write_file {"path":"made.txt","content":"made"}');
  await lives.gateway.died("before the file is written");
  ada.leave();
  expect(existsSync(join(lives.folder, WORKSPACE, "made.txt"))).toBe(false);
  await lives.start();
  await ada.hears(/^used: \[made\.txt: 4 bytes\]/, PATIENCE);
  await lives.gateway.stop();
  const rows = await lives.read((read) => read.audit({ limit: 9 }));
  expect(rows.map(({ action }) => action)).toEqual(["tool-begun", "tool-begun", "tool-done"]);
});
