import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pruneReceived } from "../../../src/tools/attachments/received-file.ts";

let workspace: string;
beforeEach(() => {
  workspace = mkdtempSync(join(tmpdir(), "banyan-received-"));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

/** A file, or a folder, last changed at that second. */
function make(path: string, second: number, content?: string): void {
  const absolute = join(workspace, path);
  if (content === undefined) mkdirSync(absolute, { recursive: true });
  else writeFileSync(absolute, content);
  utimesSync(absolute, second, second);
}

it("removes what is old, the folder with the last of it, and nothing else", async () => {
  for (const session of ["one", "two"]) make(`.banyan/received/${session}`, 9);
  make(".banyan/received/one/1.1-a.txt", 5, "old");
  make(".banyan/received/two/2.1-a.txt", 5, "old");
  make(".banyan/received/two/2.2-b.txt", 20, "new");
  for (const session of ["one", "two"]) make(`.banyan/received/${session}`, 9);
  await pruneReceived([workspace, workspace], 10_000);
  expect(readdirSync(join(workspace, ".banyan/received/two"))).toEqual(["2.2-b.txt"]);
  await pruneReceived([workspace], Date.now() + 1_000);
  expect(readdirSync(join(workspace, ".banyan/received"))).toEqual([]);
});

it("follows no link, and minds no workspace that is not there", async () => {
  make("elsewhere/one", 9);
  make("elsewhere/one/a.txt", 5, "old");
  mkdirSync(join(workspace, ".banyan"));
  symlinkSync(join(workspace, "elsewhere"), join(workspace, ".banyan/received"));
  await pruneReceived([workspace, join(workspace, "nowhere")], 10_000);
  expect(existsSync(join(workspace, "elsewhere/one/a.txt"))).toBe(true);
});

it("removes also a link that leads nowhere, and a folder that somebody made there, and goes on behind them", async () => {
  make(".banyan/received/one", 9);
  symlinkSync(join(workspace, "nowhere"), join(workspace, ".banyan/received/one/1.1-a.txt"));
  make(".banyan/received/one/made/deep", 9);
  make(".banyan/received/one/z.txt", 5, "old");
  await pruneReceived([workspace], Date.now() + 1_000);
  expect(readdirSync(join(workspace, ".banyan/received"))).toEqual([]);
});
