import { expect, test } from "vitest";
import type { ToolBoundaries } from "../../../src/config/shapes/tool-boundaries.ts";
import { decideCommand } from "../../../src/tools/boundaries/decide-command.ts";

type Commands = NonNullable<ToolBoundaries["commands"]>;

function decide(command: string, ...agents: readonly Commands[]): string {
  const boundaries = agents.map((commands) => ({ baseDir: "/w", rules: { commands } }));
  return decideCommand(command.split(" "), boundaries).kind;
}

test.each<[string, Commands, string, string]>([
  ["nothing said", {}, "ls -la", "open"],
  ["blocked, by its first words", { block: ["git push"] }, "git push origin", "closed"],
  ["another of the same program", { block: ["git push"] }, "git status", "open"],
  ["blocked by whatever path", { block: ["git"] }, "/usr/bin/git status", "closed"],
  ["not on the list", { allow: ["git status", "ls"] }, "git push", "closed"],
  ["on the list", { allow: ["git status", "ls"] }, "git status -s", "open"],
  ["a program of that name that the agent made", { allow: ["git"] }, "./git status", "closed"],
  ["asked for", { permissions: { "npm publish": "ask" } }, "npm publish --tag x", "ask"],
  ["the longer pattern decides", { permissions: { "*": "ask", "git status": "allow" } }, "git status", "open"],
  ["denied", { permissions: { rm: "deny" } }, "rm a", "closed"],
  ["a dangerous one that is named", { allow: ["bash"] }, "bash -c x", "open"],
  ["a dangerous one that is only covered by *", { allow: ["*"] }, "bash -c x", "closed"],
  ["a dangerous argument of a named program", { allow: ["find"] }, "find . -exec ls", "closed"],
  ["a dangerous argument that is named too", { allow: ["find", "find -exec"] }, "find . -exec ls", "open"],
  ["one that a person allows", { allow: ["git"], permissions: { "git config": "ask" } }, "git config a b", "ask"],
  ["two, one of them named", { allow: ["git", "git -c"] }, "git -c a=b config x", "closed"],
  ["the same letter behind the subcommand", { allow: ["git"] }, "git switch -c new", "open"],
  ["a short option among others", { allow: ["tar"] }, "tar -xfI a.tar sh", "closed"],
  ["options of old, without a dash", { allow: ["tar"] }, "tar xIf sh a.tar", "closed"],
  ["asked for, with options before it", { permissions: { "npm publish": "ask" } }, "npm --prefix x publish", "ask"],
  ["denied, as a program of its own", { permissions: { "git push": "deny" } }, "git-push origin", "closed"],
  ["a word that is no subcommand", { permissions: { "git push": "deny" } }, "git commit -m push", "open"],
  ["what runs code of the workspace, where something is denied", { block: ["git push"] }, "make", "closed"],
  ["the same, named", { block: ["git push"], permissions: { make: "ask" } }, "make", "ask"],
  ["the same, covered by *", { allow: ["*"] }, "npm test", "closed"],
  ["the same, where nothing is closed", {}, "npm test", "open"],
])("%s", (_what, commands, command, verdict) => {
  expect(decide(command, commands)).toBe(verdict);
});

test.each([
  "sh -c id",
  "/bin/sh -c id",
  "sudo ls",
  "env ls",
  "xargs ls",
  "mkfs.ext4 x",
  "dd if=x",
  "find . -exec ls",
  "kill 1",
])("attack 1: %s is dangerous", (command) => {
  expect(decide(command, {})).toBe("closed");
  expect(decide(command)).toBe("closed");
});

test("a dangerous one is open to a child only where its parents name it, too", () => {
  expect(decide("bash -c x", { allow: ["bash"] }, { allow: ["bash"] })).toBe("open");
  expect(decide("bash -c x", {}, { allow: ["bash"] })).toBe("closed");
});

const EXAMPLE: Commands = { allow: ["git", "ls", "npm test"], permissions: { "git push": "deny", "npm test": "ask" } };

test.each([
  "git --shallow-file x config alias.x y",
  "git --shallow-file x push",
  "git -C -C config alias.y z",
  "git -C -C push",
  "git --work-tree --work-tree config a b",
  "git --work-tree --work-tree push",
  "git --bare status",
  "git --list-cmds=alias status",
  "git --exec-path=x status",
  "git --not-yet-known status",
  "git --namespace push config a b",
])("attack 35: git's head is read as git reads it: %s", (command) => {
  expect(decide(command, EXAMPLE)).toBe("closed");
});

test.each([
  "git merge-index touch -a",
  "git archive --format=x HEAD",
  "git interpret-trailers --trailer x",
  "git alias-of-the-agent",
  "git config a b",
  "git STATUS",
  "git sparse-checkout set",
  "git fast-import",
  "git diff --textconv",
  "git-merge-one-file",
])("attack 35: only a closed list of subcommands is open with git: %s", (command) => {
  expect(decide(command, EXAMPLE)).toBe("closed");
  const [program, subcommand] = command.split(" ");
  if (subcommand === "archive")
    expect(decide(command, { ...EXAMPLE, allow: ["git", `${program} archive`] })).toBe("open");
});

test.each(["git -C sub -P status -s", "git --work-tree=. log", "git --version", "git", "git commit -m push"])(
  "what the documented example opens is open: %s",
  (command) => {
    expect(decide(command, EXAMPLE)).toBe("open");
  },
);

test("attack 35: a setting that names a program needs a permission of its own, also to be asked for", () => {
  const judge = (permissions: Commands["permissions"]) =>
    decideCommand(
      ["git", "status"],
      [{ baseDir: "/w", rules: { commands: { allow: ["git"], permissions } } }],
      ["filter.lfs.clean"],
    ).kind;
  expect(judge({})).toBe("closed");
  expect(judge({ "git filter.lfs.clean": "ask" })).toBe("ask");
  expect(judge({ "git filter.lfs.clean": "allow" })).toBe("open");
});

test.each(["nodejs x", "perl5.36.0 x", "gcc-12 x", "sqlite3 x", "m4 x", "rvim x"])(
  "attack 35: %s runs code where a command is closed",
  (command) => {
    expect(decide(command, { block: ["git push"] })).toBe("closed");
  },
);

test.each(["prlimit --nofile=9 ls", "setarch -R ls", "start-stop-daemon -S -x ls", "run-parts .", "fdfind -x ls"])(
  "attack 35: %s starts another program",
  (command) => {
    expect(decide(command, {})).toBe("closed");
  },
);
