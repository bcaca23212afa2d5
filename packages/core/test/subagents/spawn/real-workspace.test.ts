import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { checkRealWorkspace } from "../../../src/subagents/spawn/real-workspace.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "banyan-workspace-")));
  for (const folder of ["workspace/sub", "outside"]) mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, "workspace/file"), "");
  symlinkSync(join(root, "outside"), join(root, "workspace/way-out"));
  symlinkSync(join(root, "workspace"), join(root, "same"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

it.each([
  ["workspace", "workspace", undefined],
  ["workspace/sub", "workspace", undefined],
  ["workspace", "same", undefined],
  ["same/sub", "workspace", undefined],
  ["workspace/way-out", "workspace", "workspace_outside"],
  ["outside", "workspace", "workspace_outside"],
  ["outside", "nowhere", "workspace_outside"],
  ["nowhere", "nowhere", undefined],
  ["workspace/nothing", "workspace", "workspace_missing"],
  ["workspace/file", "workspace", "workspace_missing"],
])("behind its links %s, to lie in %s: %s", async (workspaceDir, allowed, code) => {
  const refusal = await checkRealWorkspace({
    body: { workspaceDir: join(root, workspaceDir) },
    workspaceRoots: [join(root, allowed)],
  });
  expect(refusal?.code).toBe(code);
});
