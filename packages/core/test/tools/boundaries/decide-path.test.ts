import { expect, test } from "vitest";
import type { ToolBoundaries } from "../../../src/config/shapes/tool-boundaries.ts";
import { decidePath, type PathAct } from "../../../src/tools/boundaries/decide-path.ts";

type Paths = NonNullable<ToolBoundaries["paths"]>;

function decide(path: string, act: PathAct, ...agents: readonly Paths[]): string {
  return decidePath(
    `/w/${path}`,
    act,
    agents.map((paths) => ({ baseDir: "/w", rules: { paths } })),
  ).kind;
}

test.each<[string, Paths, string, PathAct, string]>([
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
])("%s", (_what, paths, path, act, verdict) => {
  expect(decide(path, act, paths)).toBe(verdict);
});

test("a child is held by its parents' boundaries too, the strictest of all", () => {
  expect(decide("docs/a", "write", { permissions: { docs: "ask" } }, { permissions: { docs: "write" } })).toBe("ask");
  expect(decide("docs/a", "read", { allow: ["src"] }, { allow: ["docs"] })).toBe("closed");
  expect(decide("docs/a", "read", { block: ["docs"] }, {})).toBe("closed");
});

test("what lies outside of a parent's workspace is not on its list", () => {
  const parent = { baseDir: "/elsewhere", rules: { paths: { allow: ["**"] } } };
  expect(decidePath("/w/a", "read", [parent]).kind).toBe("closed");
});
