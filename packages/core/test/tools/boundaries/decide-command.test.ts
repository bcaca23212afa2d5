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
