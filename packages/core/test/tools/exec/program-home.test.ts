import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createFilePruner } from "../../../src/gateway-files.ts";
import { createProgramHome, removeOldHomes, removeProgramHome } from "../../../src/tools/exec/program-home.ts";
import { createTestPorts } from "../../ports/test-ports.ts";
import { ToolDesk } from "../tool-desk.ts";

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

it("attack 35: a home that a killed gateway has left is removed by the next one, and no other", async () => {
  const folder = desk.outsideDir;
  const logged: string[] = [];
  const log = { warn: (_fields: object, text: string) => void logged.push(text) };
  // Larger than any process id.
  const dead = 2_000_000_000;
  const own = await createProgramHome(folder);
  const old = join(folder, `banyan-home-${dead}-old`);
  const young = join(folder, `banyan-home-${dead}-young`);
  const other = join(folder, "old");
  for (const path of [old, young, other]) mkdirSync(path);
  writeFileSync(join(old, "left.txt"), "x");
  for (const path of [own, old, other]) utimesSync(path, 1, 1);
  await removeOldHomes(Date.now(), log, folder);
  expect([own, old, young, other].map((path) => existsSync(path))).toEqual([true, false, true, true]);
  await removeProgramHome("\0", log);
  expect(logged).toEqual(["deleting a program's home folder failed; delete it manually"]);
});

it("goes with the other files that grow old", async () => {
  const old = mkdtempSync(join(tmpdir(), "banyan-home-2000000000-"));
  utimesSync(old, 1, 1);
  const ports = createTestPorts();
  ports.clock.jump(24 * 3_600_000);
  await createFilePruner({ agents: {}, ports }, undefined).prune(0);
  expect(existsSync(old)).toBe(false);
});
