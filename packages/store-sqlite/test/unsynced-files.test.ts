import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { UnsyncedFiles } from "../src/projector/unsynced-files.ts";
import { createTemporaryFolder } from "./state-folder.ts";

function createFiles(...names: readonly string[]): { files: UnsyncedFiles; folder: string; warnings: string[] } {
  const folder = createTemporaryFolder();
  const files = new UnsyncedFiles();
  for (const name of names) {
    writeFileSync(join(folder, name), name);
    files.add(join(folder, name));
  }
  return { files, folder, warnings: [] };
}

describe("files that wait for their sync", () => {
  test("are sure up to where the round began, when it ends", () => {
    const { files, folder, warnings } = createFiles("a", "b", "c");
    const warn = (cause: string) => warnings.push(cause);
    expect(files.sync(2, 10, warn)).toBeUndefined();
    files.add(join(folder, "a"));
    expect(files.isInRound).toBe(true);
    expect(files.sync(2, 20, warn)).toBe(10);
    expect(files.size).toBe(1);
    expect(files.sync(2, 20, warn)).toBe(20);
    expect(files.size).toBe(0);
    expect(warnings).toEqual([]);
  });

  test("make nothing sure any more where one of them failed", () => {
    const { files, folder, warnings } = createFiles("a");
    const warn = (cause: string) => warnings.push(cause);
    files.add(join(folder, "missing"));
    expect(files.sync(5, 10, warn)).toBeUndefined();
    expect(warnings).toHaveLength(1);
    files.add(join(folder, "a"));
    expect(files.sync(5, 11, warn)).toBeUndefined();
  });
});
