import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";

const CANARY = "canary-that-no-child-may-see";
let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "banyan-escape-")));
  for (const folder of ["main/part", "ops", "outside"]) mkdirSync(join(root, folder), { recursive: true });
  for (const folder of ["ops", "outside"]) writeFileSync(join(root, folder, "secret.txt"), CANARY);
  writeFileSync(join(root, "main/part/known.txt"), "known");
  symlinkSync(join(root, "outside"), join(root, "main/way-out"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** What the spawning call answers, and what the child, if there is one, reads in its folder. */
async function spawnInto(
  workspaceDir: string,
  file: string,
): Promise<{ readonly spawned: string; readonly read: string }> {
  const spawned = Promise.withResolvers<string>();
  const read = Promise.withResolvers<string>();
  const agent = (name: string) => ({ runtime: "played", workspace: join(root, name), tools: { deny: [] } });
  const desk = await new TreeDesk({ agents: { main: agent("main"), ops: agent("ops") } }).start();
  desk.plays(/^go/, async ({ call }) => {
    const { text, isError } = await call("sessions_spawn", { task: "read it", workspaceDir });
    spawned.resolve(text);
    if (isError) read.resolve("");
    return "asked";
  });
  desk.plays(/^read it/, async ({ call }) => {
    read.resolve((await call("read_file", { path: file })).text);
    return "done";
  });
  await desk.says("go");
  return { spawned: await spawned.promise, read: await read.promise };
}

describe("attack 19: a child's folder", () => {
  it("is a part of its parent's, where it reads", async () => {
    const { spawned, read } = await spawnInto("part", "known.txt");
    expect(spawned).toContain("accepted");
    expect(read).toContain("known");
  });

  it.each(["..", "../ops", "../outside", "way-out", "part/../way-out"])("is never %s", async (workspaceDir) => {
    const { spawned, read } = await spawnInto(workspaceDir, "secret.txt");
    expect(JSON.parse(spawned)).toMatchObject({ status: "forbidden", code: "workspace_outside" });
    expect(read).toBe("");
  });

  it("is not another agent's by its absolute path", async () => {
    const { spawned, read } = await spawnInto(join(root, "ops"), "secret.txt");
    expect(JSON.parse(spawned)).toMatchObject({ status: "forbidden", code: "workspace_outside" });
    expect(read).toBe("");
  });

  it("is told of where it is not there", async () => {
    const { spawned } = await spawnInto("part/nothing", "known.txt");
    expect(JSON.parse(spawned)).toMatchObject({ status: "error", code: "workspace_missing" });
  });
});
