import { join } from "node:path";
import { expect, test } from "vitest";
import { checkDisk } from "../../src/doctor/check-disk.ts";
import { makeFolder } from "../bin/banyan-process.ts";

const [MIB, GIB] = [1024 ** 2, 1024 ** 3];

test.each([
  [GIB, "ok", "1.0 GiB free"],
  [GIB - 1, "warning", "1024 MiB free"],
  [64 * MIB, "warning", "64 MiB free"],
  [64 * MIB - 1, "error", "64 MiB free"],
  [0, "error", "0 bytes free"],
])("with %i bytes free the disk is %s", async (free, level, text) => {
  const [finding] = await checkDisk("/", async () => free);
  expect(finding).toMatchObject({ subject: "disk", level, text });
  expect(finding?.cure).toEqual(level === "ok" ? undefined : expect.stringContaining("free space"));
});

test("the disk looked at is the state directory's, before that is made, too", async () => {
  const folder = makeFolder();
  const asked: string[] = [];
  await checkDisk(join(folder, "state", "deep"), async (path) => asked.push(path));
  expect(asked).toEqual([folder]);
  expect(await checkDisk(folder)).toMatchObject([{ subject: "disk", text: expect.stringMatching(/\d \w+ free$/) }]);
});
