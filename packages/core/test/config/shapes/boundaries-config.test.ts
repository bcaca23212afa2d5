import { expect, test } from "vitest";
import { parseConfig } from "../../../src/config/read-config.ts";

function parse(tools: object, defaults: object = {}) {
  const input = { agents: { defaults: { tools: defaults }, main: { tools } } };
  return parseConfig(input, { folder: "/w", env: {}, manifests: [] }).agents.main?.tools;
}

test("exec is off until it is switched on, by the agent or for all", () => {
  expect(parse({})).toEqual({ deny: [] });
  expect(parse({ exec: true })).toEqual({ deny: [], exec: true });
  expect(parse({}, { exec: true })).toEqual({ deny: [], exec: true });
  expect(parse({ exec: false }, { exec: true })).toEqual({ deny: [] });
});

test("an agent that opens some paths and commands keeps what is closed to all", () => {
  const all = { boundaries: { paths: { block: ["keys"] }, commands: { block: ["git push"], allow: ["git"] } } };
  const own = { boundaries: { paths: { allow: ["docs"] }, commands: { allow: ["ls"] } } };
  expect(parse(own, all)?.boundaries).toEqual({
    paths: { allow: ["docs"], block: ["keys"] },
    commands: { allow: ["ls"], block: ["git push"] },
  });
  expect(parse(own)?.boundaries).toEqual(own.boundaries);
});

test("an agent's own boundaries stand over those of all, part by part", () => {
  const paths = { block: ["keys"] };
  const own = { boundaries: { timeoutSeconds: 5 } };
  const all = { boundaries: { timeoutSeconds: 60, paths } };
  expect(parse(own, all)?.boundaries).toEqual({ timeoutSeconds: 5, paths });
  expect(parse({}, all)?.boundaries).toEqual({ timeoutSeconds: 60, paths });
});

test.each<[string, object, RegExp]>([
  [
    "exec in a list while it is off",
    { allow: ["exec"] },
    /agents\.main\.tools\.allow\[0\]: The tool exec is off.*add exec: true/s,
  ],
  [
    "an absolute pattern",
    { boundaries: { paths: { allow: ["/etc"] } } },
    /boundaries\.paths\.allow\[0\]: Patterns of paths start from the workspace/,
  ],
  [
    "a pattern that leaves",
    { boundaries: { paths: { block: ["../x"] } } },
    /A pattern of paths stays in the workspace/,
  ],
  [
    "a permission that is none",
    { boundaries: { paths: { permissions: { docs: "look" } } } },
    /boundaries\.paths\.permissions\.docs/,
  ],
  [
    "a permission of paths for a command",
    { boundaries: { commands: { permissions: { ls: "read" } } } },
    /boundaries\.commands\.permissions\.ls/,
  ],
  ["a misspelt key", { boundaries: { path: {} } }, /boundaries\.path.*did you mean "?paths/s],
  ["a time without end", { boundaries: { timeoutSeconds: 0 } }, /boundaries\.timeoutSeconds/],
  ["more output than a context takes", { boundaries: { outputLimitBytes: 2 ** 30 } }, /boundaries\.outputLimitBytes/],
])("%s is refused with its place", (_what, tools, sentence) => {
  expect(() => parse(tools)).toThrow(sentence);
});
