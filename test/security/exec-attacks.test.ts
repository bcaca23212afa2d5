import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { git, openPrivateWorkshop, type PrivateWorkshop, tries } from "../stage/private-workshop.ts";

/** What names a program in a repository's settings, as it is named in permissions. */
const HOSTILE_KEYS = [
  "core.fsmonitor core.hookspath core.pager core.editor core.sshcommand diff.external diff.evil.command",
  "diff.evil.textconv credential.helper gpg.program core.worktree",
].flatMap((line) => line.split(" "));

const runs = (shop: PrivateWorkshop, ...argv: readonly string[]) => tries(shop, "exec", { argv });

test("attack 35: a program has an empty home that nobody else can open, and the workspace is not it", async () => {
  const shop = await openPrivateWorkshop({ exec: true });
  const { workspace: folder } = shop;
  writeFileSync(
    join(folder, ".gitconfig"),
    '[alias]\n\tstatus = "!touch stolen"\n[core]\n\tfsmonitor = "touch stolen"\n',
  );
  const look = `const fs = require("node:fs"); const home = process.env.HOME;
    console.log(JSON.stringify([home, fs.statSync(home).mode.toString(8), fs.readdirSync(home)]));
    fs.writeFileSync(home + "/left.txt", "");`;
  const answer = await runs(shop, "node", "-e", look);
  const [home, mode, names]: [string, string, string[]] = JSON.parse(answer.slice(answer.indexOf("\n")));
  expect([mode, names]).toEqual(["40700", []]);
  expect(home.startsWith(folder)).toBe(false);
  expect(existsSync(home)).toBe(false);
  git(folder, "init", "-q");
  await runs(shop, "git", "status");
  expect(existsSync(join(folder, "stolen"))).toBe(false);
});

test("attack 35: git starts no program that a repository or the machine's settings name, also where it is allowed to read them", async () => {
  const allow = ["git", ...HOSTILE_KEYS.map((key) => `git ${key}`)];
  const shop = await openPrivateWorkshop({ exec: true, boundaries: { commands: { allow } } });
  const repository = join(shop.workspace, "repository");
  mkdirSync(repository);
  git(repository, "init", "-q");
  git(repository, "add", ".");
  const steals = `touch ${join(shop.workspace, "stolen")}`;
  for (const [key, value] of [
    ["core.fsmonitor", steals],
    ["core.hooksPath", "hooks"],
    ["core.pager", steals],
    ["core.editor", steals],
    ["core.sshCommand", steals],
    ["diff.external", steals],
    ["diff.evil.command", steals],
    ["diff.evil.textconv", steals],
    ["credential.helper", `!${steals}`],
    ["gpg.program", steals],
  ])
    git(repository, "config", key ?? "", value ?? "");
  mkdirSync(join(repository, "hooks"));
  for (const hook of ["pre-commit", "post-commit", "post-checkout", "reference-transaction"]) {
    writeFileSync(join(repository, "hooks", hook), `#!/bin/sh\n${steals}\n`);
    chmodSync(join(repository, "hooks", hook), 0o755);
  }
  writeFileSync(join(repository, ".gitattributes"), "*.txt diff=evil\n");
  writeFileSync(join(repository, "a.txt"), "one\n");
  const in_ = (...argv: readonly string[]) => runs(shop, "git", "-C", "repository", ...argv);
  const author = ["--author", "Ada <ada@example.org>"];
  await in_("add", ".");
  await in_("commit", "-m", "one", ...author);
  await in_("commit", ...author);
  writeFileSync(join(repository, "a.txt"), "two\n");
  await in_("status");
  expect(await in_("diff")).toMatch(/\+two/);
  await in_("fetch", "ssh://127.0.0.1:1/nowhere");
  await in_("fetch", "http://127.0.0.1:1/nowhere");
  // A folder with the files of a repository is none.
  git(shop.workspace, "init", "-q", "--bare", "trap");
  git(join(shop.workspace, "trap"), "config", "core.fsmonitor", steals);
  git(join(shop.workspace, "trap"), "config", "core.worktree", "..");
  expect(await runs(shop, "git", "-C", "trap", "status")).toMatch(/safe\.bareRepository/);
  expect(existsSync(join(shop.workspace, "stolen"))).toBe(false);
});
