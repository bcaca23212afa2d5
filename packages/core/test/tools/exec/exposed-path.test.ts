import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createExecTool } from "../../../src/tools/exec/exec-tool.ts";
import { findExposedPath } from "../../../src/tools/exec/exposed-path.ts";
import { ToolDesk } from "../tool-desk.ts";

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
  desk.write("workspace/notes.md", "the well is deep");
  desk.write("state/db/data.sqlite", "");
});
afterEach(() => desk.remove());

function find(...own: readonly string[]): Promise<string | undefined> {
  return findExposedPath(
    desk.workspaceDir,
    own.map((path) => join(desk.outsideDir, path)),
  );
}

it.each([
  ["in it", "workspace/state", "state"],
  ["deep in it, before it exists", "workspace/bot/plugins/lazy.ts", "bot/plugins/lazy.ts"],
  ["the workspace itself", "workspace", "."],
  ["above it", ".", "."],
  ["beside it", "state", undefined],
  ["beside it, with a name that begins alike", "workspace-of-the-host", undefined],
])("attack 33: a part of the gateway is found in a workspace: %s", async (_where, path, found) => {
  expect(await find("elsewhere", path)).toBe(found);
});

it("attack 33: a link hides no part of the gateway, whether it leads in, out or to the workspace", async () => {
  symlinkSync("workspace/inner", join(desk.outsideDir, "way-in"));
  symlinkSync("../state", join(desk.workspaceDir, "way-out"));
  symlinkSync("workspace", join(desk.outsideDir, "alias"));
  desk.write("workspace/inner/plugin.ts", "");
  expect(await find("way-in")).toBe("inner");
  expect(await find("way-in/plugin.ts")).toBe("inner/plugin.ts");
  // Whoever may replace the link decides what the host finds.
  expect(await find("workspace/way-out")).toBe("way-out");
  expect(await find("alias/way-out")).toBe("way-out");
  expect(await findExposedPath(join(desk.outsideDir, "alias"), [join(desk.workspaceDir, "inner")])).toBe("inner");
});

it("attack 33: code of the host that comes while a person thinks about a program keeps it from running", async () => {
  let hostCode: readonly string[] = [];
  const clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };
  const log = { warn: () => undefined };
  desk.tools = [createExecTool({ clock, log, scrub: (text) => text, createUuid: () => "mark", env: process.env })];
  desk.scope = {
    ...desk.scope,
    policies: [{ ask: ["exec"] }],
    listReadOnlyPaths: () => hostCode,
    ask: async ({ choices }) => {
      hostCode = [join(desk.workspaceDir, "plugin.ts")];
      const choice = choices.find(({ isAllowing }) => isAllowing);
      return choice === undefined ? { kind: "denied", why: "nobody" } : { kind: "chosen", choice };
    },
  };
  const { text } = await desk.call("exec", { argv: ["touch", "made.txt"] });
  expect(text).toMatch(/^exec failed \(permission\): the workspace holds "plugin\.ts", which no program may reach/);
});
