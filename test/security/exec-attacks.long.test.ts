import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { git, openPrivateWorkshop, type PrivateWorkshop, tries } from "../stage/private-workshop.ts";

const DOCUMENT = new URL("../../docs/tools.md", import.meta.url);

const TOKEN = "the-token-of-the-house";

const runs = (shop: PrivateWorkshop, ...argv: readonly string[]) => tries(shop, "exec", { argv });

test("attack 34: what a program prints of a secret is shown in no half where the output is cut", async () => {
  const shop = await openPrivateWorkshop(
    { exec: true, boundaries: { outputLimitBytes: 1_000 } },
    { config: { server: { port: 0, token: TOKEN } } },
  );
  const [begin, end] = [TOKEN.slice(0, 9), TOKEN.slice(9)];
  for (const before of [385, 390, 395, 400, 405]) {
    const prints = `const token = "${begin}" + "${end}";
      process.stdout.write("-".repeat(${before}) + token + "-".repeat(5_000) + token + "-".repeat(${before}));`;
    const answer = await tries(shop, "exec", { argv: ["node", "-e", prints] });
    expect([before, answer.replaceAll("[secret]", "")]).toEqual([before, expect.not.stringMatching(/the-|house/)]);
  }
});

test("attack 35: git does not run where a repository's settings name a program, and the refusal names what", async () => {
  const shop = await openExample();
  const repository = join(shop.workspace, "repository");
  mkdirSync(repository);
  git(repository, "init", "-q");
  expect(await runs(shop, "git", "-C", "repository", "status")).toMatch(/^\[exit code 0/);
  git(repository, "config", "filter.e.clean", "touch stolen; cat");
  for (const words of [["status"], ["-C", "repository", "status"], ["--version"]])
    expect(await runs(shop, "git", ...words)).toMatch(
      /^exec failed \(permission\): "git" with "filter\.e\.clean" .*add "git filter\.e\.clean" to the agent's commands/,
    );
});

test("attack 35: no local folder is a remote, for its settings would count at that end, and no repository is around the workspace", async () => {
  const shop = await openPrivateWorkshop({ exec: true, boundaries: { commands: { allow: ["git"] } } });
  const { workspace } = shop;
  git(workspace, "init", "-q", "repo");
  writeFileSync(join(workspace, "repo/a.txt"), "one\n");
  git(join(workspace, "repo"), "add", ".");
  git(join(workspace, "repo"), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "one");
  git(workspace, "init", "-q", "--bare", "other.git");
  mkdirSync(join(workspace, "trap/refs"), { recursive: true });
  mkdirSync(join(workspace, "trap/objects/info"), { recursive: true });
  writeFileSync(join(workspace, "trap/HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(workspace, "trap/objects/info/alternates"), `${join(workspace, "other.git/objects")}\n`);
  const steals = `touch ${join(workspace, "stolen")}; :`;
  writeFileSync(
    join(workspace, "trap/config"),
    `[core]\n\trepositoryformatversion = 0\n\tbare = true\n\talternateRefsCommand = "${steals}"\n`,
  );
  for (const words of [
    ["push", "../trap", "HEAD:refs/heads/x"],
    ["fetch", "../trap"],
    ["ls-remote", "../trap"],
    ["clone", ".", "../copy"],
    ["fetch", "ext::touch stolen"],
  ]) {
    const text = await tries(shop, "exec", { argv: ["git", ...words], cwd: "repo" });
    expect([words, text]).toEqual([words, expect.stringMatching(/transport '(file|ext)' not allowed/)]);
  }
  expect(existsSync(join(workspace, "stolen"))).toBe(false);
  git(dirname(workspace), "init", "-q");
  expect(await runs(shop, "git", "log")).toMatch(/not a git repository/);
});

/** The commands of the documented example, without its paths and questions. */
async function openExample(): Promise<PrivateWorkshop> {
  const [, json = "{}"] = /```json\n([\s\S]*?)```/.exec(readFileSync(DOCUMENT, "utf8")) ?? [];
  const { tools } = JSON.parse(json).agents.main;
  const { commands } = tools.boundaries;
  return openPrivateWorkshop({ exec: true, boundaries: { commands } });
}

test("attack 35: a subcommand that is denied stays denied, whatever options stand before it", async () => {
  const shop = await openExample();
  for (const argv of [
    ["git", "push"],
    ["git", "-C", ".", "push"],
    ["git", "--no-pager", "push", "origin"],
    ["git", "--work-tree", ".", "push"],
    ["git", "--work-tree=.", "-P", "push"],
    ["git", "PUSH"],
    ["git", "--namespace", "x", "send-pack", "origin"],
    ["git", "--shallow-file", "x", "push"],
    ["git", "-C", "-C", "push"],
  ])
    expect([argv, await runs(shop, ...argv)]).toEqual([argv, expect.stringMatching(/^exec failed \(permission\)/)]);
  expect(await runs(shop, "git", "-C", ".", "--version")).toMatch(/^\[exit code 0/);
});

test("attack 35: an argument that makes an allowed program run another one needs a permission of its own", async () => {
  const shop = await openExample();
  for (const argv of [
    ["git", "-c", "alias.x=!touch stolen", "x"],
    ["git", "-calias.x=!touch stolen", "x"],
    ["git", "-C", ".", "-c", "alias.x=!touch stolen", "x"],
    ["git", "--config-env=alias.x=PATH", "x"],
    ["git", "--git-dir=trap", "x"],
    ["git", "--exec-path=.", "x"],
    ["git", "config", "alias.x", "!touch stolen"],
    ["git", "-C", ".", "config", "alias.x", "!touch stolen"],
    ["git", "rebase", "-x", "touch stolen", "HEAD"],
    ["git", "rebase", "--exe=touch stolen", "HEAD"],
    ["git", "bisect", "run", "touch", "stolen"],
    ["git", "submodule", "foreach", "touch stolen"],
    ["git", "grep", "-Otouch", "well"],
    ["git", "clone", "--upload-p=touch stolen", ".", "copy"],
    ["git", "clone", "-c", "core.fsmonitor=touch stolen", ".", "copy"],
    ["git", "init", "--template=trap"],
    ["git", "--shallow-file", "x", "config", "alias.x", "!touch stolen"],
    ["git", "-C", "-C", "config", "alias.x", "!touch stolen"],
    ["git", "--bare", "status"],
    ["git", "merge-index", "touch", "-a"],
    ["git", "archive", "--format=x", "HEAD"],
    ["git", "x"],
  ])
    expect([argv, await runs(shop, ...argv)]).toEqual([
      argv,
      expect.stringMatching(/^exec failed \(permission\): .*needs separate permission/),
    ]);
  expect(existsSync(join(shop.workspace, "stolen"))).toBe(false);
  // It runs what the agent may have written, so a person is asked.
  await shop.ada.says('exec {"argv":["npm","test"]}');
  await shop.ada.hears(/wants to use `exec`/);
  await shop.ada.says("/answer deny");
  await shop.ada.hears(/the person who was asked said no/);
});
