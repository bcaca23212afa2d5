import { PassThrough } from "node:stream";
import { createInlineStore } from "@banyan/store-sqlite/inline";
import { describe, expect, test } from "vitest";
import { formatChange, formatTreesJson } from "../../src/commands/runs-tree.ts";
import { createTreeLook, type ShownTree } from "../../src/state/look-at-trees.ts";
import { ChangedRuns, watchTrees } from "../../src/state/watch-trees.ts";
import { RedrawnLines } from "../../src/terminal/redrawn-lines.ts";
import { formatTrees } from "../../src/terminal/tree-lines.ts";
import { VirtualScreen } from "../chat/virtual-screen.ts";
import { ADA, childKey, RunDesk } from "../state/run-desk.ts";

async function openDesk() {
  let now = 1_000_000;
  const store = createInlineStore({ clock: { now: () => now } });
  const desk = new RunDesk(store);
  await desk.open();
  await desk.spawns("a111", { label: "docs" });
  await desk.begins("a111");
  await desk.spawns("b222", { label: "pages", from: childKey("a111"), parentRunId: "a111" });
  const pass = (ms: number) => {
    now += ms;
  };
  return { desk, read: store.read, pass, getNow: () => now };
}

const draw = (trees: readonly ShownTree[], now: number, rows = 100) => formatTrees(trees, { now, columns: 60, rows });

describe("banyan runs tree", () => {
  test.each([
    ["all that is at work", undefined, [ADA, "└ docs      running   12 s", "  └ pages   queued    12 s"]],
    ["a session's", "irc:dm:ada", [ADA, "└ docs      running   12 s", "  └ pages   queued    12 s"]],
    ["a run's", "pages", [ADA, "└ pages   queued   12 s"]],
    ["a run's, by its session's key", childKey("b222"), [ADA, "└ pages   queued   12 s"]],
  ])("draws %s", async (_name, given, lines) => {
    const { read, pass, getNow } = await openDesk();
    pass(12_000);
    const look = await createTreeLook(read, given);
    expect(draw(await look(), getNow())).toEqual(lines.map((line) => `  ${line}`));
  });

  test("of what is none and no session either says so", async () => {
    const { read } = await openDesk();
    await expect(createTreeLook(read, "zzz")).rejects.toMatchObject({ code: "session_not_found" });
  });

  test("says when nothing is at work, or a session has no sub-agents", async () => {
    const store = createInlineStore();
    await new RunDesk(store).open();
    const all = await createTreeLook(store.read, undefined);
    expect(draw(await all(), 0)).toEqual(["  nothing is at work; banyan runs list shows what was"]);
    const ada = await createTreeLook(store.read, ADA);
    expect(draw(await ada(), 0)).toEqual([`  ${ADA}: no sub-agents`]);
  });

  test("is no longer than its room: what is at work comes first", async () => {
    const { desk, read, getNow } = await openDesk();
    for (const id of ["c1", "c2", "c3", "c4"]) {
      await desk.spawns(id, { label: id });
      await desk.ends(id, "");
    }
    const look = await createTreeLook(read, ADA);
    expect(draw(await look(), getNow(), 5)).toEqual([
      `  ${ADA}`,
      "  ├ docs      running   0.0 s",
      "  │ └ pages   queued    0.0 s",
      "  └ c1        done      0.3 s",
      "  and 3 more: banyan runs list",
    ]);
  });

  test("the document for scripts is a tree", async () => {
    const { read, getNow } = await openDesk();
    const look = await createTreeLook(read, "docs");
    expect(formatTreesJson(await look(), getNow())).toMatchObject([
      { sessionKey: ADA, runs: [{ runId: "a111", children: [{ runId: "b222", children: [] }] }] },
    ]);
  });
});

describe("banyan runs tree --watch", () => {
  test("draws the tree again in its place until nothing is at work", async () => {
    const { desk, read, pass, getNow } = await openDesk();
    const screen = new VirtualScreen();
    const lines = new RedrawnLines(screen.output);
    const drawn: (readonly string[])[] = [];
    const happenings = [
      () => desk.begins("b222"),
      () => desk.ends("b222", "3 pages"),
      () => desk.ends("a111", "4,210 words"),
    ];
    await watchTrees({
      look: await createTreeLook(read, undefined),
      show: async (trees) => {
        lines.draw(formatTrees(trees, { now: getNow(), columns: lines.columns, rows: lines.rows }));
        drawn.push(screen.look().slice(1));
      },
      async pause() {
        pass(12_000);
        await happenings.shift()?.();
        return true;
      },
    });
    expect(drawn).toEqual([
      ["  └ docs      running   0.0 s", "    └ pages   queued    0.0 s"],
      ["  └ docs      running   12 s", "    └ pages   running   12 s"],
      ["  └ docs      running   24 s", "    └ pages   done      0.3 s"],
      ["  └ docs      done   0.3 s", "    └ pages   done   0.3 s"],
    ]);
    expect(screen.look()[0]).toBe(`  ${ADA}`);
  });

  test("writes nothing where nothing has changed", () => {
    const output = new PassThrough();
    const lines = new RedrawnLines(output);
    lines.draw(["one", "two"]);
    expect(output.read()?.toString()).toBe("one\ntwo\n");
    lines.draw(["one", "two"]);
    expect(output.read()).toBeNull();
  });

  test("draws no more lines than the terminal has, none wider than it", () => {
    const output = Object.assign(new PassThrough(), { columns: 11, rows: 5 });
    new RedrawnLines(output).draw(["a line of more", "2", "3", "4", "5"]);
    expect(output.read()?.toString()).toBe("a line of \n2\n3\n4\n");
  });

  test("elsewhere tells each change once, in a line", async () => {
    const { desk, read, pass, getNow } = await openDesk();
    const look = await createTreeLook(read, undefined);
    const changes = new ChangedRuns();
    const take = async () => changes.take(await look()).map((run) => formatChange(run, getNow()));
    expect(await take()).toEqual(["  a111  docs  running  0.0 s", "  b222  pages  queued  0.0 s"]);
    pass(12_000);
    expect(await take()).toEqual([]);
    await desk.ends("b222", "counting\n3 pages");
    expect(await take()).toEqual(["  b222  pages  done  0.3 s  3 pages"]);
  });

  test("shows the end of what is put away with it, and nothing of what was before", async () => {
    const { desk, read, getNow } = await openDesk();
    await desk.spawns("c3", { label: "old" });
    await desk.ends("c3", "", { untold: true });
    await desk.putsAway("c3");
    const look = await createTreeLook(read, ADA);
    expect(draw(await look(), getNow()).join()).not.toContain("old");
    await desk.begins("b222");
    await desk.ends("b222", "3 pages", { untold: true });
    await desk.putsAway("b222");
    expect(draw(await look(), getNow()).at(-1)).toBe("    └ pages   done      0.3 s   3 pages");
  });

  test("ends when nobody watches any more", async () => {
    const { read } = await openDesk();
    const shown: (readonly ShownTree[])[] = [];
    await watchTrees({
      look: await createTreeLook(read, undefined),
      show: async (trees) => void shown.push(trees),
      pause: async () => false,
    });
    expect(shown).toHaveLength(1);
  });
});
