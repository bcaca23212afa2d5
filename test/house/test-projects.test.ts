import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { runCommand } from "./command.ts";
import { formatPath, listFiles, REPOSITORY } from "./repository.ts";

const ListedFiles = z.array(z.object({ file: z.string(), projectName: z.string() }));

let files: readonly { readonly path: string; readonly project: string }[];

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "banyan-projects-"));
  const list = join(folder, "files.json");
  const vitest = join(REPOSITORY, "node_modules/.bin/vitest");
  const { exitCode, output } = await runCommand(vitest, ["list", "--filesOnly", `--json=${list}`]);
  expect(exitCode, output).toBe(0);
  files = ListedFiles.parse(JSON.parse(readFileSync(list, "utf8"))).map(({ file, projectName }) => ({
    path: formatPath(file),
    project: projectName,
  }));
  rmSync(folder, { recursive: true });
});

test("each test file runs in exactly one project", () => {
  const inRepository = ["packages", "plugins", "test"].flatMap(listFiles).filter((path) => path.endsWith(".test.ts"));
  expect(inRepository.length).toBeGreaterThan(0);
  expect(files.map(({ path }) => path).toSorted()).toEqual(inRepository.toSorted());
});

test("the name of a file says whether `pnpm test` or `pnpm test:long` runs it", () => {
  const misplaced = files.filter(({ path, project }) => path.endsWith(".long.test.ts") !== project.startsWith("long"));
  expect(misplaced).toEqual([]);
});
