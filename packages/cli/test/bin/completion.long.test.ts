import { expect, test } from "vitest";
import { makeFolder, runBanyan } from "./banyan-process.ts";

test("completes commands, their options and an option's values", async () => {
  const folder = makeFolder();
  const ask = async (...words: string[]) => (await runBanyan(folder, ["complete", "--", ...words])).stdout;
  const [commands, below, values] = await Promise.all([ask("out"), ask("outbox", "l"), ask("logs", "--level", "")]);
  expect(commands).toMatch(/^outbox\t/);
  expect(below).toMatch(/^list\t/);
  expect(
    values
      .split("\n")
      .slice(0, 4)
      .map((line) => line.trim()),
  ).toEqual(["debug", "info", "warn", "error"]);
});

test("prints a script per shell; another shell is a usage error that names those there are", async () => {
  const folder = makeFolder();
  const [zsh, tcsh, help] = await Promise.all([
    runBanyan(folder, ["completion", "zsh"]),
    runBanyan(folder, ["completion", "tcsh"]),
    runBanyan(folder, ["--help"]),
  ]);
  expect(zsh).toMatchObject({ code: 0, stdout: expect.stringContaining("compdef") });
  expect(tcsh).toMatchObject({ code: 2, stderr: expect.stringContaining("zsh, bash, fish, powershell") });
  expect(help.stdout).toContain("completion <shell>");
});
