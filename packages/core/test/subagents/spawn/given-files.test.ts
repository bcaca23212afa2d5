import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readSpawned, TreeDesk } from "../tree-desk.ts";

let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), "banyan-given-")));
});
afterEach(() => rmSync(workspace, { recursive: true, force: true }));

it("a child reads the files it was given where the workspace holds the state directory too, and nothing else of it", async () => {
  const stateDir = join(workspace, ".banyan");
  mkdirSync(stateDir);
  writeFileSync(join(stateDir, "kept"), "not for agents");
  const read = Promise.withResolvers<readonly string[]>();
  const agents = { main: { runtime: "played", workspace, tools: { deny: [] } } };
  const desk = await new TreeDesk({ agents, options: { stateDir } }).start();
  let runId = "";
  desk.plays(/^go/, async ({ call }) => {
    const attachments = [{ name: "notes.md", content: "remember the milk" }];
    runId = readSpawned(await call("sessions_spawn", { task: "read it", attachments })).runId;
    return "asked";
  });
  desk.plays(/^read it/, async ({ call }) => {
    const [folder = ""] = readdirSync(stateDir).filter((name) => /^[0-9a-f-]{36}$/.test(name));
    const paths = [`.banyan/${folder}/notes.md`, ".banyan/kept"];
    const answers: string[] = [];
    for (const path of paths) answers.push((await call("read_file", { path })).text);
    read.resolve(answers);
    return "done";
  });
  await desk.says("go");
  const [given, kept] = await read.promise;
  expect(given).toContain("remember the milk");
  expect(kept).toContain("is kept from tools");
  expect(readdirSync(stateDir)).toContain(runId);
});
