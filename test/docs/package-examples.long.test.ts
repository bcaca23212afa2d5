import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { REPOSITORY } from "../house/repository.ts";
import { listPublishedPackages } from "./package-readme.ts";

const run = promisify(execFile);
/** Their examples are the middle of a test, or need a bot's token. */
const NO_PROGRAM: readonly string[] = [
  "packages/emulator-telegram",
  "packages/emulator-discord",
  "plugins/telegram",
  "plugins/discord",
];

const packages = listPublishedPackages();
const programs = packages.filter(({ folder }) => !NO_PROGRAM.includes(folder));

test("there are programs", () => {
  expect(programs.length).toBeGreaterThan(10);
});

test.each(programs)("the example of $folder runs to its end and prints something", async ({ example }) => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-example-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const { name, folder: source } of packages) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(REPOSITORY, source), link);
  }
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  writeFileSync(join(folder, "example.ts"), example?.code ?? "");
  const { stdout } = await run(process.execPath, ["example.ts"], { cwd: folder });
  expect(stdout.trim()).not.toBe("");
});
