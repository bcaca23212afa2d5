import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { openWorkshop, type Workshop } from "./tool-worker.ts";

/** An agent that does as it is told, in a folder that holds nothing but its own files. */
export interface PrivateWorkshop extends Workshop {
  /** Absolute, in a folder that holds nothing else. */
  readonly workspace: string;
}

export async function openPrivateWorkshop(
  tools: object,
  { config = {}, files = {} }: { readonly config?: object; readonly files?: Readonly<Record<string, string>> } = {},
): Promise<PrivateWorkshop> {
  const around = mkdtempSync(join(tmpdir(), "banyan-workshop-"));
  onTestFinished(() => rmSync(around, { recursive: true, force: true }));
  const workspace = join(around, "workspace");
  mkdirSync(workspace);
  for (const [name, text] of Object.entries({ "notes.md": "the well is deep", ...files })) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), text);
  }
  const agents = { main: { runtime: "scripted", default: true, tools, workspace } };
  const shop = await openWorkshop(tools, { config: { agents, ...config } });
  return { ...shop, workspace };
}

/** Has the agent call a tool, and returns what it says came of it. */
export async function tries({ ada }: Workshop, tool: string, args: object): Promise<string> {
  await ada.says(`${tool} ${JSON.stringify(args)}`);
  return (await ada.hears(/./)).text;
}

/** Runs git as a person would, without settings of this machine. */
export function git(cwd: string, ...args: readonly string[]): void {
  const { status, stderr } = spawnSync("git", args, {
    cwd,
    env: { PATH: process.env.PATH ?? "", HOME: "/nonexistent" },
  });
  expect([status, String(stderr)]).toEqual([0, expect.anything()]);
}
