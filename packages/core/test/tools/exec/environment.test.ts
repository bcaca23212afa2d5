import { existsSync, mkdirSync, mkdtempSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, test } from "vitest";
import { createFilePruner } from "../../../src/gateway-files.ts";
import {
  buildChildEnvironment,
  createProgramHome,
  removeOldHomes,
  removeProgramHome,
} from "../../../src/tools/exec/environment.ts";
import { createTestPorts } from "../../ports/test-ports.ts";
import { ToolDesk } from "../tool-desk.ts";

function build(own: Readonly<Record<string, string>>) {
  const scrub = (text: string) => text.replaceAll("hush", "[secret]");
  return buildChildEnvironment({ gatewayEnv: own, workspaceDir: "/w", homeDir: "/h", scrub, mark: "m1" });
}

test("attack 18: a program gets what is on the list and holds no secret, and nothing else", () => {
  const own = {
    PATH: "/usr/bin",
    LANG: "de",
    TZ: "hush",
    HOME: "/root",
    OPENAI_API_KEY: "k",
    NODE_OPTIONS: "--require x",
  };
  const given = Object.entries(build(own)).filter(([name]) => !name.startsWith("GIT_"));
  expect(Object.fromEntries(given)).toEqual({
    PATH: "/usr/bin",
    LANG: "de",
    HOME: "/h",
    TERM: "dumb",
    BANYAN_EXEC: "m1",
  });
});

test.each([
  ["folders that the agent can write to", "/w/bin:/usr/bin:/w", "/usr/bin"],
  ["folders that depend on where it starts", ".:bin:/usr/bin:", "/usr/bin"],
  ["nothing left", "/w/bin", "/usr/local/bin:/usr/bin:/bin"],
])("programs are not looked for in %s", (_what, PATH, left) => {
  expect(build({ PATH }).PATH).toBe(left);
});

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
