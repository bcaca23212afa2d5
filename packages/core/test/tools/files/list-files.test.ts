import { chmodSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { walkDirectory } from "../../../src/tools/files/list-files.ts";
import { ToolDesk } from "../tool-desk.ts";

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
});
afterEach(() => desk.remove());

async function list(args: { dir: string; depth?: number }): Promise<string[]> {
  const result = await desk.call("list_files", args);
  expect(result.isError).toBe(false);
  expect(Buffer.byteLength(result.text)).toBeLessThanOrEqual(desk.scope.limits.outputLimitBytes);
  return result.text.split("\n");
}

it("lists depth first, in the order of code units, with sizes", async () => {
  for (const path of ["b.md", "B.md", "a/z.md", "a/b/c.md", "ä.md", "10.md", "9.md"])
    desk.write(`workspace/${path}`, path);
  const lines = ["10.md\t5", "9.md\t4", "B.md\t4", "a/", "a/b/", "a/b/c.md\t8", "a/z.md\t6", "b.md\t4", "ä.md\t5"];
  expect(await list({ dir: "." })).toEqual(lines);
  expect(await list({ dir: "a/" })).toEqual(["a/b/", "a/b/c.md\t8", "a/z.md\t6"]);
});

it("leaves hidden entries and node_modules out, says so, and shows them when they are named", async () => {
  for (const path of [".hidden", ".git/config", "node_modules/x/index.js", "a.md"])
    desk.write(`workspace/${path}`, "x");
  expect(await list({ dir: "." })).toEqual(["a.md\t1", "[skipped: 1 node_modules, 2 hidden]"]);
  expect(await list({ dir: "node_modules" })).toEqual(["node_modules/x/", "node_modules/x/index.js\t1"]);
});

it("goes as deep as it is asked to, and says that there is more", async () => {
  desk.write("workspace/1/2/3/4/5.md", "x");
  expect(await list({ dir: ".", depth: 1 })).toEqual([
    "1/",
    "[there are deeper directories; ask with a larger depth, or for one of them]",
  ]);
  expect(await list({ dir: "." })).toContain("1/2/3/4/");
  expect(await list({ dir: ".", depth: 32 })).toContain("1/2/3/4/5.md\t1");
});

it("says that there is nothing", async () => {
  expect(await list({ dir: "." })).toEqual(["[nothing to show here]"]);
});

it("cuts at its number of entries", async () => {
  for (let index = 0; index < 12; index += 1) desk.write(`workspace/d/${index}`, "");
  desk.scope = { ...desk.scope, limits: { ...desk.scope.limits, listingLimitEntries: 10 } };
  const lines = await list({ dir: "d" });
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe("[cut after 10 entries: there are more; ask for a directory below d]");
});

it("does not say that it cut when all fit exactly", async () => {
  for (let index = 0; index < 10; index += 1) desk.write(`workspace/d/${index}`, "");
  desk.scope = { ...desk.scope, limits: { ...desk.scope.limits, listingLimitEntries: 10 } };
  expect(await list({ dir: "d" })).toHaveLength(10);
});

it("cuts whole lines at the output limit", async () => {
  for (let index = 0; index < 40; index += 1) desk.write(`workspace/${"n".repeat(200)}${index}`, "");
  desk.scope = { ...desk.scope, limits: { ...desk.scope.limits, outputLimitBytes: 3000 } };
  const lines = await list({ dir: "." });
  expect(lines.slice(0, -1).every((line) => /^n{200}\d+\t0$/.test(line))).toBe(true);
  expect(lines.at(-1)).toBe("[cut after 9 entries: there are more; ask for a directory below this one]");
});

it("looks at so many names and no more, hidden ones included", async () => {
  for (let index = 0; index < 9; index += 1) desk.write(`workspace/.hidden${index}`, "");
  const start = { realPath: desk.workspaceDir, shownPath: ".", isClosed: () => false };
  const walk = await walkDirectory(start, { depth: 1, entries: 10, names: 5 }, new AbortController().signal);
  expect(walk.cutBy).toBe("names");
  expect(walk.skipped.get("hidden")).toBe(5);
});

it("stops when the turn does", async () => {
  desk.write("workspace/a", "");
  const start = { realPath: desk.workspaceDir, shownPath: ".", isClosed: () => false };
  const walking = walkDirectory(start, { depth: 1, entries: 10, names: 10 }, AbortSignal.abort(new Error("/stop")));
  await expect(walking).rejects.toThrow("/stop");
});

it("keeps a line a line, whatever a file is called", async () => {
  for (const name of ["a\nb", "tab\tx", '"quoted"', "\u202egnp.exe", "[notice]"]) desk.write(`workspace/${name}`, "");
  expect(await list({ dir: "." })).toEqual([
    '"\\"quoted\\""\t0',
    "[notice]\t0",
    '"a\\nb"\t0',
    '"tab\\tx"\t0',
    '"\\u202egnp.exe"\t0',
  ]);
});

it.skipIf(process.getuid?.() === 0)(
  "goes on past a directory it may not read, and says so (only where not root)",
  async () => {
    desk.write("workspace/closed/a", "");
    desk.write("workspace/open/b", "");
    chmodSync(join(desk.workspaceDir, "closed"), 0);
    expect(await list({ dir: "." })).toEqual(["closed/", "open/", "open/b\t0", "[skipped: 1 unreadable]"]);
    chmodSync(join(desk.workspaceDir, "closed"), 0o700);
  },
);
