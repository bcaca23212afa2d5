import { appendFileSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolder, runBanyan, spawnBanyan, stateDirOf } from "./banyan-process.ts";

const line = (level: number, msg: string) =>
  `${JSON.stringify({ level, time: 1_763_640_000_000, account: "telegram/default", msg })}\n`;

function writeLog(folder: string, text: string): string {
  mkdirSync(join(stateDirOf(folder), "logs"), { recursive: true });
  const file = join(stateDirOf(folder), "logs", "banyan.log");
  writeFileSync(file, text);
  return file;
}

test("shows the last lines over all files, by level and text, readable or as they are", async () => {
  const folder = makeFolder();
  const file = writeLog(folder, `${line(30, "first")}${line(40, "second")}`);
  renameSync(file, `${file}.1`);
  writeLog(folder, `${line(30, "third")}${line(50, "fourth")}{"level":30,"cut sh`);
  const show = async (...args: string[]) => (await runBanyan(folder, ["logs", ...args])).stdout.trimEnd().split("\n");
  const [all, two, warnings, found, json] = await Promise.all([
    show(),
    show("-n", "2"),
    show("--level", "warn"),
    show("--grep", "FIRST"),
    show("--json", "--level", "error"),
  ]);
  expect(all.map((text) => /first|second|third|fourth|cut sh/.exec(text)?.[0])).toEqual([
    "first",
    "second",
    "third",
    "fourth",
    "cut sh",
  ]);
  expect(two).toHaveLength(2);
  expect(warnings.map((text) => text.includes("error") || text.includes("warn"))).toEqual([true, true]);
  expect(found).toMatchObject([expect.stringMatching(/^\d\d:\d\d:\d\d +info +first +account=telegram\/default$/)]);
  expect(JSON.parse(json[0] ?? "")).toMatchObject({ level: 50, msg: "fourth" });
});

test("follows what is written, also into a new file", async () => {
  const folder = makeFolder();
  const file = writeLog(folder, line(30, "before"));
  const following = spawnBanyan(folder, ["logs", "-f"]);
  await following.prints(/before/);
  appendFileSync(file, line(30, "meanwhile"));
  await following.prints(/meanwhile/);
  renameSync(file, `${file}.1`);
  writeLog(folder, line(30, "afterwards"));
  await following.prints(/afterwards/);
  following.kill("SIGTERM");
  expect((await following.ended).code).toBe(0);
});

test("a gateway writes its log there; a folder without one says so", async () => {
  const folder = makeFolder();
  expect(await runBanyan(folder, ["logs"])).toMatchObject({ code: 0, stderr: expect.stringContaining("banyan start") });
  expect((await runBanyan(folder, ["chat", "calc", "6*7"])).code).toBe(0);
  expect(readFileSync(join(stateDirOf(folder), "logs", "banyan.log"), "utf8")).toContain("the gateway is open");
});
