import { mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ToolDesk } from "../tool-desk.ts";

const CANARY = "canary-that-no-agent-may-see";
const OPEN = ".banyan/run-1";
let desk: ToolDesk;

beforeEach(() => {
  desk = new ToolDesk();
  desk.write("workspace/.banyan/token", CANARY);
  desk.write("workspace/.banyan/run-2/b.md", CANARY);
  desk.write(`workspace/${OPEN}/a.md`, "given");
  const at = (path: string) => join(desk.workspaceDir, path);
  desk.scope = { ...desk.scope, blockedPaths: [at(".banyan")], openPaths: [at(OPEN)] };
});
afterEach(() => desk.remove());

const read = async (path: string) => (await desk.call("read_file", { path })).text;
const list = async (dir: string) => (await desk.call("list_files", { dir })).text;

it("a session reads and lists the files it was given, though they lie in what is blocked", async () => {
  expect(await read(`${OPEN}/a.md`)).toContain("given");
  expect(await list(OPEN)).toContain("a.md\t5");
});

describe("attack 13: a folder that is open in what is blocked", () => {
  it.each([".banyan", ".banyan/token", ".banyan/run-2", ".banyan/run-2/b.md", `${OPEN}/../token`, ".banyan/run-1x"])(
    "opens nothing beside it: %s",
    async (path) => {
      expect(await read(path)).toContain("is kept from tools");
      expect(await list(path)).toContain("is kept from tools");
    },
  );

  it.each(["token", "run-2/b.md"])("opens nothing through a link in it: %s", async (path) => {
    symlinkSync(join(desk.workspaceDir, ".banyan", path), join(desk.workspaceDir, OPEN, "link"));
    expect(await read(`${OPEN}/link`)).toContain("is kept from tools");
  });

  it.each([".", "run-2"])("opens nothing where a link to %s has taken its place", async (target) => {
    renameSync(join(desk.workspaceDir, OPEN), join(desk.workspaceDir, "moved"));
    symlinkSync(join(desk.workspaceDir, ".banyan", target), join(desk.workspaceDir, OPEN));
    for (const path of [`${OPEN}/token`, `${OPEN}/b.md`, `${OPEN}/run-2/b.md`, ".banyan/token"]) {
      expect(await read(path)).not.toContain(CANARY);
    }
    expect(await list(OPEN)).toContain("is kept from tools");
  });

  it("opens nothing where a link stands above it", async () => {
    renameSync(join(desk.workspaceDir, ".banyan"), join(desk.workspaceDir, "state"));
    mkdirSync(join(desk.workspaceDir, "state", "run-3"));
    symlinkSync(join(desk.workspaceDir, "state"), join(desk.workspaceDir, ".banyan"));
    expect(await read(`${OPEN}/a.md`)).toContain("is kept from tools");
  });
});
