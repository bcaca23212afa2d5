import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { REPOSITORY } from "../house/repository.ts";
import { startStrangerBanyan } from "./stranger-banyan.ts";
import { readExample, writeUserProject } from "./user-project.ts";

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-user-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A command of the workspace in a user's folder. Resolves with what it printed, whether it failed or not. */
async function runBanyan(folder: string, ...words: readonly string[]): Promise<string> {
  const program = join(REPOSITORY, "packages/cli/src/bin-from-source.js");
  const env = { PATH: process.env.PATH, HOME: folder, GROVE_TOKEN: "1:abc" };
  const running = promisify(execFile)(process.execPath, [program, ...words], { cwd: folder, env });
  const { stdout, stderr } = await running.catch((error: { stdout: string; stderr: string }) => error);
  return stdout + stderr;
}

test("the documents' plugins run in the folder that npm init makes, with nothing installed", async () => {
  const folder = makeFolder();
  writeUserProject(folder);
  writeFileSync(join(folder, "package.json"), '{"type":"commonjs"}');
  const banyan = await startStrangerBanyan(REPOSITORY, join(folder, "state"), folder);
  expect(banyan.lines).toContain("● wire/default running\n");
  expect(banyan.lines).not.toMatch(/warning/i);
  expect(await banyan.stop()).toBe(0);
});

test("the configuration of docs/getting-started.md is read in an empty folder", async () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "workspace"));
  writeFileSync(join(folder, "banyan.config.ts"), readExample("docs/getting-started.md"));
  expect(await runBanyan(folder, "sessions", "list")).toContain("no sessions yet");
});

test("a configuration that imports a path that Banyan does not have is refused in one sentence", async () => {
  const folder = makeFolder();
  writeFileSync(join(folder, "banyan.config.ts"), 'import x from "banyan/x";\nexport default x;\n');
  expect(await runBanyan(folder, "start")).toMatch(
    /^banyan: reading [^\n]*: Cannot find 'banyan\/x' imported from [^\n]*banyan\.config\.ts: Banyan has banyan, banyan\/plugin and @banyan\/plugin-sdk; correct what it imports or does\n$/,
  );
});
