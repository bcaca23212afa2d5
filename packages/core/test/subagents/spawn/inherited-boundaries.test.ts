import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ToolBoundaries } from "../../../src/config/shapes/tool-boundaries.ts";
import { TreeDesk } from "../tree-desk.ts";

let root: string;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "banyan-bounds-")));
  mkdirSync(join(root, "docs/keys"), { recursive: true });
  writeFileSync(join(root, "docs/keys/k"), "key");
  writeFileSync(join(root, "docs/a.md"), "words");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

interface Rules {
  readonly exec?: boolean;
  readonly boundaries?: ToolBoundaries;
}

/** What a child of the agent `free`, spawned by `main`, is answered. */
async function askChild(main: Rules, free: Rules, tool: string, args: object, workspaceDir = "."): Promise<string> {
  const told = Promise.withResolvers<string>();
  const agent = (rules: Rules) => ({ runtime: "played", workspace: root, tools: { deny: [], ...rules } });
  const agents = { main: { ...agent(main), subagents: { allowAgents: ["*"] } }, free: agent(free) };
  const desk = await new TreeDesk({ agents }).start();
  desk.plays(/^go/, async ({ call }) => {
    const { text, isError } = await call("sessions_spawn", { task: "try it", agentId: "free", workspaceDir });
    if (isError) told.resolve(text);
    return "asked";
  });
  desk.plays(/^try it/, async ({ call }) => {
    told.resolve((await call(tool, args)).text);
    return "tried";
  });
  await desk.says("go");
  return told.promise;
}

describe("attack 19: a child's tools", () => {
  it("do not run programs where its parent may not, whatever its own agent may", async () => {
    const answer = await askChild({}, { exec: true }, "exec", { command: "ls" });
    expect(answer).toMatch(/^exec failed \(refused\): there is no such tool for you/);
  });

  it("keep to its parent's paths, also from a folder below", async () => {
    const main = { boundaries: { paths: { block: ["docs/keys"], permissions: { docs: "read" } } } } as const;
    expect(await askChild(main, {}, "read_file", { path: "keys/k" }, "docs")).toMatch(
      /^read_file failed \(permission\)/,
    );
    expect(await askChild(main, {}, "read_file", { path: "a.md" }, "docs")).toContain("words");
    expect(await askChild(main, {}, "write_file", { path: "a.md", content: "x" }, "docs")).toMatch(
      /may be read, not written/,
    );
  });

  it("keep to its parent's commands and sizes", async () => {
    const main = { exec: true, boundaries: { commands: { allow: ["ls"] }, writeLimitBytes: 10 } };
    const free = { exec: true, boundaries: { commands: { allow: ["cat", "bash"] }, writeLimitBytes: 1_000 } };
    expect(await askChild(main, free, "exec", { command: "cat docs/a.md" })).toMatch(/^exec failed \(permission\)/);
    expect(await askChild(main, free, "exec", { argv: ["bash", "-c", "id"] })).toMatch(/^exec failed \(permission\)/);
    const content = "x".repeat(11);
    expect(await askChild(main, free, "write_file", { path: "b.md", content })).toMatch(
      /^write_file failed \(resource\)/,
    );
  });
});
