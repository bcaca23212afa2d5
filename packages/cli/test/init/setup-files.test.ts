import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSetup } from "../../src/init/setup-files.ts";
import { makeFolder } from "../bin/banyan-process.ts";

function write(folder: string): readonly string[] {
  const places = { configFile: join(folder, "banyan.config.json"), before: undefined, folder };
  return writeSetup({ channels: [] }, { ...places, stateDir: join(folder, ".banyan") }).files;
}

test("a new workspace has three files in docs/, so that the first suggestion works and is split over sub-agents", () => {
  const folder = makeFolder();
  expect(write(folder)).toContain(join(folder, "workspace"));
  expect(readdirSync(join(folder, "workspace", "docs"))).toHaveLength(3);
  expect(existsSync(join(folder, "workspace", "README.md"))).toBe(true);
});

test("a workspace that exists is left alone", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, "workspace"));
  write(folder);
  expect(readdirSync(join(folder, "workspace"))).toEqual([]);
});

test("the state directory ignores itself; a repository's .gitignore is left alone where there is no .env", () => {
  const folder = makeFolder();
  mkdirSync(join(folder, ".git"));
  writeFileSync(join(folder, ".gitignore"), "dist\n");
  write(folder);
  expect(readFileSync(join(folder, ".gitignore"), "utf8")).toBe("dist\n");
  expect(readFileSync(join(folder, ".banyan", ".gitignore"), "utf8")).toBe("*\n");
});
