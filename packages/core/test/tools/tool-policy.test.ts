import { expect, it } from "vitest";
import { isToolAllowed } from "../../src/tools/tool-policy.ts";

it.each([
  ["no policy", [], true],
  ["an empty policy", [{}], true],
  ["allow *", [{ allow: ["*"] }], true],
  ["its name", [{ allow: ["exec", "read_file"] }], true],
  ["an empty list", [{ allow: [] }], false],
  ["another name", [{ allow: ["read"] }], false],
  ["a pattern, which is none", [{ allow: ["read_*"] }], false],
  ["deny", [{ deny: ["read_file"] }], false],
  ["deny of another", [{ deny: ["exec"] }], true],
  ["deny over allow", [{ allow: ["read_file"], deny: ["read_file"] }], false],
  ["deny * over allow", [{ allow: ["read_file"], deny: ["*"] }], false],
  ["both of two", [{ allow: ["*"] }, { allow: ["read_file"] }], true],
  ["one of two", [{ allow: ["*"] }, { allow: ["exec"] }], false],
])("under %s", (_name, policies, isAllowed) => {
  expect(isToolAllowed("read_file", policies)).toBe(isAllowed);
});
