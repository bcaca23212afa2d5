import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listLogFiles, openLogFile, resolveLogFile } from "../../src/ports/log-file.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-log-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function open(stateDir: string, limitBytes?: number) {
  const errors: unknown[] = [];
  const limit = limitBytes === undefined ? {} : { limitBytes };
  return { errors, log: openLogFile(stateDir, { onError: (error) => errors.push(error), ...limit }) };
}

test("keeps lines over restarts, for the owner's eyes alone", async () => {
  const stateDir = join(makeFolder(), "state");
  for (const line of ["one", "two"]) {
    const { log } = open(stateDir);
    log.write(line);
    await log.close();
  }
  const file = resolveLogFile(stateDir);
  expect(readFileSync(file, "utf8")).toBe("one\ntwo\n");
  expect([statSync(file).mode & 0o777, statSync(join(stateDir, "logs")).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("begins a new file at its limit, keeps four, and loses no line that is young enough", async () => {
  const stateDir = makeFolder();
  const { log } = open(stateDir, 100);
  for (let line = 1; line <= 100; line += 1) log.write(`line ${line}`);
  await log.close();
  const files = listLogFiles(stateDir);
  expect(files).toHaveLength(4);
  const kept = files.map((file) => readFileSync(file, "utf8")).join("");
  const lines = kept.trimEnd().split("\n");
  expect(lines.at(-1)).toBe("line 100");
  const first = Number(lines[0]?.slice("line ".length));
  expect(lines).toEqual(lines.map((_, at) => `line ${first + at}`));
});

test("a place that takes no lines is told once and stops nothing", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "logs"), "in the way");
  const { log, errors } = open(folder);
  log.write("one");
  log.write("two");
  await log.close();
  expect(errors).toHaveLength(1);
});

test("lines that come after the end are left out, and a second end is none", async () => {
  const stateDir = makeFolder();
  const { log, errors } = open(stateDir);
  log.write("one");
  await log.close();
  log.write("two");
  await log.close();
  expect([readFileSync(resolveLogFile(stateDir), "utf8"), errors]).toEqual(["one\n", []]);
});
