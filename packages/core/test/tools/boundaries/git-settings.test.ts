import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { listClosedKeys, listClosedSettings, walkWorkspace } from "../../../src/tools/boundaries/git-settings.ts";
import { ToolDesk } from "../tool-desk.ts";

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

const HARMLESS = `[core]
\trepositoryformatversion = 0
\tfilemode = true
[remote "origin"]
\turl = https://example.org/a.git ; the house
\tfetch = +refs/heads/*:refs/remotes/origin/*
[branch "a]b \\" c"]
\tmerge = refs/heads/a
[user] name = Ada
`;

it.each<[string, string, readonly string[]]>([
  ["what git itself and people write", HARMLESS, []],
  ["an alias", '[alias]\n\tx = "!touch"', ["alias.x"]],
  ["keys in another case, on the line of the section", "[CORE]FsMonitor=x", ["core.fsmonitor"]],
  ["two sections on a line", '[user][Filter "e"] clean = x', ["filter.e.clean"]],
  ["the old form of a section", "[diff.evil]\ncommand = x", ["diff.evil.command"]],
  ["a section that looks like another one", '[core "x"]\nfilemode = x', ["core.x.filemode"]],
  ["what a remote runs", '[remote "o"]\nreceivepack = x\nvcs = x', ["remote.o.receivepack", "remote.o.vcs"]],
  ["a further file", "[include]\npath = x", ["include.path"]],
  ["a section hidden by a line that goes on", "[alias]\n x = \\\n[user]\n name = x", ["alias.x"]],
  ["what a merge runs", '[merge "d"]\ndriver = x', ["merge.d.driver"]],
  ["what no section is", "[al\u00e9 x]", ["unreadable-settings"]],
])("attack 35: settings are read without git: %s", (_what, text, keys) => {
  expect(listClosedKeys(text)).toEqual(keys);
});

it("attack 35: the settings of every repository of a workspace count, wherever git would find them", async () => {
  const list = () => listClosedSettings(desk.workspaceDir);
  desk.write("workspace/a/.git/config", HARMLESS);
  expect(await list()).toEqual([]);
  desk.write("workspace/node_modules/b/.git/config", "[alias]\nb = x");
  expect(await list()).toEqual(["alias.b"]);
  desk.write("workspace/parts/c/config", "[core]\nsshCommand = x");
  desk.write("workspace/c/.git", "gitdir: ../parts/c\n");
  desk.write("workspace/parts/d/commondir", "../e\n");
  desk.write("workspace/parts/d/config.worktree", "[core]\npager = x");
  desk.write("workspace/parts/e/config", "[core]\neditor = x");
  desk.write("workspace/d/.git", "gitdir: ../parts/d\n");
  expect((await list()).toSorted()).toEqual(["alias.b", "core.editor", "core.pager", "core.sshcommand"]);
});

it.each(["a link that leads out", "a link to nothing", "a file that names a folder outside", "a folder for settings"])(
  "attack 35: settings that are elsewhere are not taken for harmless: %s",
  async (what) => {
    const place = join(desk.workspaceDir, ".git");
    desk.write("outside/config", HARMLESS);
    if (what === "a link that leads out") symlinkSync("../outside", place);
    else if (what === "a link to nothing") symlinkSync("nowhere", place);
    else if (what.startsWith("a file")) desk.write("workspace/.git", "gitdir: ../outside");
    else mkdirSync(join(place, "config"), { recursive: true });
    expect(await listClosedSettings(desk.workspaceDir)).toEqual(["unreadable-settings"]);
  },
);

it("a workspace with more files than are searched is refused, and packages count only where they are searched", async () => {
  for (const name of ["a", "b", "node_modules/c"]) desk.write(`workspace/${name}`, "");
  const walk = async (limitNames: number, withPackages: boolean) => {
    const names: string[] = [];
    for await (const { name } of walkWorkspace(desk.workspaceDir, { withPackages, limitNames })) names.push(name);
    return names.toSorted();
  };
  expect(await walk(3, false)).toEqual(["a", "b", "node_modules"]);
  await expect(walk(3, true)).rejects.toThrow(/more than 3 files, too many to check before a program runs; ask/);
});
