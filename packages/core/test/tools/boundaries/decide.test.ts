import { expect, test } from "vitest";
import type { ToolBoundaries } from "../../../src/config/shapes/tool-boundaries.ts";
import {
  decideCommand,
  decidePath,
  matchesPattern,
  matchPath,
  type PathAccess,
} from "../../../src/tools/boundaries/decide.ts";
import { measureCpuRatio } from "../../cpu-ratio.ts";

type Paths = NonNullable<ToolBoundaries["paths"]>;

function judgePath(path: string, access: PathAccess, ...agents: readonly Paths[]): string {
  return decidePath(
    `/w/${path}`,
    access,
    agents.map((paths) => ({ baseDir: "/w", rules: { paths } })),
  ).kind;
}

test.each<[string, Paths, string, PathAccess, string]>([
  ["nothing said", {}, "a.md", "write", "open"],
  ["blocked", { block: ["keys"] }, "keys/a", "read", "closed"],
  ["blocked wins over allowed", { allow: ["keys"], block: ["keys/own"] }, "keys/own", "read", "closed"],
  ["not on the list", { allow: ["docs"] }, "src/a.ts", "read", "closed"],
  ["above what is on the list, to list it", { allow: ["docs/a"] }, "docs", "list", "open"],
  ["above what is on the list, to read it", { allow: ["docs/a"] }, "docs", "read", "closed"],
  ["to be read, not written", { permissions: { docs: "read" } }, "docs/a", "write", "closed"],
  ["to be read", { permissions: { docs: "read" } }, "docs/a", "read", "open"],
  ["the longer pattern decides", { permissions: { "**": "read", "drafts/**": "write" } }, "drafts/a", "write", "open"],
  ["of two as long the stricter", { permissions: { "a/*b": "write", "a/b*": "deny" } }, "a/bb", "write", "closed"],
  ["asked for", { permissions: { docs: "ask" } }, "docs/a", "read", "ask"],
])("%s", (_what, paths, path, access, verdict) => {
  expect(judgePath(path, access, paths)).toBe(verdict);
});

test("a child is held by its parents' boundaries too, the strictest of all", () => {
  expect(judgePath("docs/a", "write", { permissions: { docs: "ask" } }, { permissions: { docs: "write" } })).toBe(
    "ask",
  );
  expect(judgePath("docs/a", "read", { allow: ["src"] }, { allow: ["docs"] })).toBe("closed");
  expect(judgePath("docs/a", "read", { block: ["docs"] }, {})).toBe("closed");
});

test("what lies outside of a parent's workspace is not on its list", () => {
  const parent = { baseDir: "/elsewhere", rules: { paths: { allow: ["**"] } } };
  expect(decidePath("/w/a", "read", [parent]).kind).toBe("closed");
});

type Commands = NonNullable<ToolBoundaries["commands"]>;

function judgeCommand(command: string, ...agents: readonly Commands[]): string {
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
  expect(judgeCommand(command, commands)).toBe(verdict);
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
  expect(judgeCommand(command, {})).toBe("closed");
  expect(judgeCommand(command)).toBe("closed");
});

test("a dangerous one is open to a child only where its parents name it, too", () => {
  expect(judgeCommand("bash -c x", { allow: ["bash"] }, { allow: ["bash"] })).toBe("open");
  expect(judgeCommand("bash -c x", {}, { allow: ["bash"] })).toBe("closed");
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
  expect(judgeCommand(command, EXAMPLE)).toBe("closed");
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
  expect(judgeCommand(command, EXAMPLE)).toBe("closed");
  const [program, subcommand] = command.split(" ");
  if (subcommand === "archive")
    expect(judgeCommand(command, { ...EXAMPLE, allow: ["git", `${program} archive`] })).toBe("open");
});

test.each(["git -C sub -P status -s", "git --work-tree=. log", "git --version", "git", "git commit -m push"])(
  "what the documented example opens is open: %s",
  (command) => {
    expect(judgeCommand(command, EXAMPLE)).toBe("open");
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
    expect(judgeCommand(command, { block: ["git push"] })).toBe("closed");
  },
);

test.each(["prlimit --nofile=9 ls", "setarch -R ls", "start-stop-daemon -S -x ls", "run-parts .", "fdfind -x ls"])(
  "attack 35: %s starts another program",
  (command) => {
    expect(judgeCommand(command, {})).toBe("closed");
  },
);

test.each([
  ["git", "git", true],
  ["git", "gits", false],
  ["*", "", true],
  ["*.md", "a.md", true],
  ["*.md", "a.md.txt", false],
  ["a*b*c", "axxbyyc", true],
  ["a*b*c", "axxcyyb", false],
])("%s means %s: %s", (pattern, word, means) => {
  expect(matchesPattern(pattern, word)).toBe(means);
});

test.each([
  ["docs", "docs", "yes"],
  ["docs", "docs/a/b.md", "yes"],
  ["docs", "docs2", "no"],
  ["docs", ".", "above"],
  ["docs/**", "docs", "yes"],
  ["docs/*/private", "docs/a", "above"],
  ["docs/*/private", "docs/a/private/key", "yes"],
  ["docs/*/private", "docs/a/b/private", "no"],
  ["**/.env", ".env", "yes"],
  ["**/.env", "a/b/.env", "yes"],
  ["**/.env", "a/b", "above"],
  ["**", "anything/at/all", "yes"],
  ["**", ".", "yes"],
  ["*.md", "a.md", "yes"],
  ["*.md", "docs/a.md", "no"],
] as const)("%s says of %s: %s", (pattern, path, match) => {
  expect(matchPath(pattern, path)).toBe(match);
});

test("attack 23: a pattern that a regular expression would never end with ends at once", () => {
  const word = (stars: number, letters: number) => () => matchesPattern(`${"*a".repeat(stars)}b`, "a".repeat(letters));
  const path = (stars: number, names: number) => () => matchPath(`${"**/a/".repeat(stars)}b`, "a/".repeat(names));
  // Each length times eight, small enough for what goes back over every star to end: it would take 64 times as long at least.
  expect(measureCpuRatio(word(3, 800), word(3, 100))).toBeLessThan(24);
  expect(measureCpuRatio(word(16, 24), word(2, 24))).toBeLessThan(24);
  expect(measureCpuRatio(path(3, 800), path(3, 100))).toBeLessThan(24);
  expect(measureCpuRatio(path(16, 24), path(2, 24))).toBeLessThan(24);
  expect(word(100, 10_000)()).toBe(false);
  expect(path(40, 1_000)()).toBe("above");
});
