import { expect, test } from "vitest";
import { buildChildEnvironment } from "../../../src/tools/exec/child-environment.ts";

function build(own: Readonly<Record<string, string>>) {
  const scrub = (text: string) => text.replaceAll("hush", "[secret]");
  return buildChildEnvironment({ own, workspaceDir: "/w", homeDir: "/h", scrub, mark: "m1" });
}

test("attack 18: a program gets what is on the list and holds no secret, and nothing else", () => {
  const own = {
    PATH: "/usr/bin",
    LANG: "de",
    TZ: "hush",
    HOME: "/root",
    OPENAI_API_KEY: "k",
    NODE_OPTIONS: "--require x",
  };
  const given = Object.entries(build(own)).filter(([name]) => !name.startsWith("GIT_"));
  expect(Object.fromEntries(given)).toEqual({
    PATH: "/usr/bin",
    LANG: "de",
    HOME: "/h",
    TERM: "dumb",
    BANYAN_EXEC: "m1",
  });
});

test.each([
  ["folders that the agent can write to", "/w/bin:/usr/bin:/w", "/usr/bin"],
  ["folders that depend on where it starts", ".:bin:/usr/bin:", "/usr/bin"],
  ["nothing left", "/w/bin", "/usr/local/bin:/usr/bin:/bin"],
])("programs are not looked for in %s", (_what, PATH, left) => {
  expect(build({ PATH }).PATH).toBe(left);
});
