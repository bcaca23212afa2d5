import { afterEach, beforeEach, expect, it } from "vitest";
import { z } from "zod";
import { createLifecycleHooks } from "../../../src/hooks/lifecycle-hooks.ts";
import { createCheckChain } from "../../../src/tools/checks/chain.ts";
import { defineTool } from "../../../src/tools/definition.ts";
import { createExecTool } from "../../../src/tools/exec/exec-tool.ts";
import { createWriteFileTool } from "../../../src/tools/files/write-file.ts";
import { ToolDesk } from "../tool-desk.ts";

const ignore = () => undefined;

let desk: ToolDesk;
beforeEach(() => {
  desk = new ToolDesk();
  const clock = { now: () => 0, monotonic: () => 0, schedule: () => () => undefined };
  const log = { warn: ignore };
  const exec = createExecTool({ clock, log, scrub: (text) => text, createUuid: () => "mark", env: process.env });
  desk.tools = [...desk.tools, createWriteFileTool(), exec];
});
afterEach(() => desk.remove());

it("is the six hooks of the host, each with its priority", () => {
  const log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
  const clock = { now: () => 0, monotonic: () => 0, schedule: () => ignore };
  const chain = createCheckChain({ log, scrub: (text) => text, hooks: createLifecycleHooks({ clock, log }) });
  expect(chain().map(({ name, priority }) => `${name} ${priority}`)).toEqual([
    "path security 10",
    "file permission 9",
    "dangerous commands 8",
    "file access log 7",
    "resource limits 6",
    "audit 5",
  ]);
});

/** Taps that record when they are called. */
function tapAt(seen: string[], priority: number | undefined): void {
  const options = { name: `at ${priority}`, ...(priority === undefined ? {} : { priority }) };
  desk.hooks.before_tool_call.tap(options, () => void seen.push(`before ${priority}`));
  desk.hooks.after_tool_call.tap(options, () => void seen.push(`after ${priority}`));
}

it("asks taps by their priority, the larger first, whatever their order", async () => {
  const seen: string[] = [];
  for (const priority of [1, 10, undefined, 8]) tapAt(seen, priority);
  await desk.call("list_files", { dir: "." });
  const order = [10, 8, undefined, 1];
  expect(seen).toEqual([...order.map((at) => `before ${at}`), ...order.map((at) => `after ${at}`)]);
});

it("the host's six hooks stand by their priorities, and what counts behind them", async () => {
  expect(desk.listChecks().map(({ name, priority }) => `${priority} ${name}`)).toEqual([
    "10 path security",
    "9 file permission",
    "8 dangerous commands",
    "7 file access log",
    "6 resource limits",
    "5 taps of priority 5",
    "5 audit",
    "1 call counter",
  ]);
});

it("says in the log which calls have worked with files", async () => {
  await desk.call("list_files", { dir: "." });
  await desk.call("write_file", { path: "a.md", content: "oaks" });
  expect(desk.logged).toEqual(["a tool reads files", "a tool works with files"]);
});

it("counts each call once, by how it ended", async () => {
  await desk.call("list_files", { dir: "." });
  await desk.call("read_file", { path: "nothing.md" });
  await desk.call("read_file", { path: "../x" });
  await desk.call("read_file", { way: "wrong" });
  await desk.call("nothing", {});
  expect(desk.counter.read()).toEqual({ done: 1, failed: 1, refused: 3 });
});

it.each([
  ["path security", { path: "../x", content: "" }, "write_file", 10],
  ["file permission", { path: "keys/x", content: "" }, "write_file", 9],
  ["dangerous commands", { argv: ["sudo", "ls"] }, "exec", 8],
  ["resource limits", { path: "x", content: "x".repeat(2_000_000) }, "write_file", 6],
  ["resource limits", { argv: ["echo", ...Array.from({ length: 5 }, () => "x".repeat(30_000))] }, "exec", 6],
] as const)("%s refuses before a tap below it is asked, and behind one above it", async (_name, args, tool, at) => {
  desk.scope = { ...desk.scope, boundaries: [{ baseDir: desk.workspaceDir, rules: { paths: { block: ["keys"] } } }] };
  const seen: string[] = [];
  for (const priority of [at - 1, at]) tapAt(seen, priority);
  expect((await desk.call(tool, args)).isError).toBe(true);
  expect(seen).toEqual([`before ${at}`]);
});

it("a tap's refusal stands in the audit like the host's own", async () => {
  desk.before = async () => ({ refused: "not today." });
  await desk.call("list_files", { dir: "." });
  expect(desk.audited.map(({ action }) => action)).toEqual(["tool-refused"]);
  expect(JSON.parse(desk.audited[0]?.detail ?? "")).toMatchObject({
    tool: "list_files",
    why: expect.stringContaining("not today"),
  });
});

it("audits what writes before and behind it, and what only reads not at all", async () => {
  await desk.call("list_files", { dir: "." });
  await desk.call("write_file", { path: "a.md", content: "word ".repeat(1_000) });
  expect(desk.audited.map(({ action }) => action)).toEqual(["tool-begun", "tool-done"]);
  expect(desk.audited.every(({ detail }) => detail.length < 700)).toBe(true);
});

it("tells the log of each call that touches files, and of no other", async () => {
  desk.write("workspace/a.md", "a");
  await desk.call("read_file", { path: "a.md" });
  await desk.call("read_file", { path: "../b.md" });
  expect(desk.logged).toEqual(["a tool reads files", "a tool reads files"]);
  await desk.call("write_file", { path: "a.md", content: "b" });
  await desk.call("exec", { argv: ["sudo", "ls"] });
  expect(desk.logged.slice(2)).toEqual(["a tool works with files", "a tool works with files"]);
  await desk.call("read_file", {});
  await desk.call("nothing");
  expect(desk.logged).toHaveLength(4);
});

it("asks a person where the boundaries say so, and once, however many say so", async () => {
  const permissions = { "drafts/**": "ask" } as const;
  desk.scope = { ...desk.scope, boundaries: [{ baseDir: desk.workspaceDir, rules: { paths: { permissions } } }] };
  expect((await desk.call("write_file", { path: "drafts/a.md", content: "x" })).text).toMatch(/no one here to ask/);
  expect(desk.asked).toHaveLength(1);
  expect((await desk.call("write_file", { path: "a.md", content: "x" })).isError).toBe(false);
  expect(desk.asked).toHaveLength(1);
});

it("shows in a list only what is open", async () => {
  desk.write("workspace/docs/a.md", "a");
  desk.write("workspace/docs/keys/k", "k");
  desk.write("workspace/src/b.ts", "b");
  const paths = { allow: ["docs"], block: ["docs/keys"] };
  desk.scope = { ...desk.scope, boundaries: [{ baseDir: desk.workspaceDir, rules: { paths } }] };
  expect((await desk.call("list_files", { dir: "." })).text).toBe("docs/\ndocs/a.md\t1\n[skipped: 2 kept from tools]");
  expect((await desk.call("read_file", { path: "src/b.ts" })).text).toMatch(/^read_file failed \(permission\)/);
});

it("lets no more programs run at once than may, and the next one when one has ended", async () => {
  const gates: (() => void)[] = [];
  const slow = defineTool({
    name: "slow",
    description: "",
    args: z.strictObject({}),
    isRepeatable: false,
    effect: "runs",
    use: () => ({ command: { argv: ["slow"], cwd: "." } }),
    run: () => new Promise((resolve) => void gates.push(() => resolve({ text: "done", isError: false }))),
  });
  desk.tools = [slow];
  const begin = async (ordinal: number) => {
    const begun = Promise.withResolvers<void>();
    desk.scope = { ...desk.scope, begin: async () => begun.resolve() };
    const answer = desk.call("slow", {}, ordinal);
    await begun.promise;
    return { answer };
  };
  const [first] = [await begin(0), await begin(1), await begin(2)];
  expect((await desk.call("slow", {}, 3)).text).toMatch(/^slow failed \(resource\): as many programs run as may/);
  gates[0]?.();
  expect((await first.answer).text).toBe("done");
  await begin(4);
});

it("writes to a file as a whole, keeps its mode, and leaves nothing beside it", async () => {
  desk.write("workspace/run.sh", "old");
  const { chmodSync, readFileSync, readdirSync, statSync } = await import("node:fs");
  chmodSync(`${desk.workspaceDir}/run.sh`, 0o750);
  expect((await desk.call("write_file", { path: "run.sh", content: "new" })).text).toBe(
    "[run.sh: 3 bytes]\nIt is written.",
  );
  expect(readFileSync(`${desk.workspaceDir}/run.sh`, "utf8")).toBe("new");
  expect(statSync(`${desk.workspaceDir}/run.sh`).mode & 0o777).toBe(0o750);
  expect(readdirSync(desk.workspaceDir)).toEqual(["run.sh"]);
});
