import { PassThrough } from "node:stream";
import type { RunRecord } from "@banyan/core";
import { createInlineStore } from "@banyan/store-sqlite/inline";
import { describe, expect, test } from "vitest";
import { formatKilled } from "../../src/commands/runs-kill.ts";
import { formatRunJson, formatRuns } from "../../src/commands/runs-list.ts";
import { formatShownRun, formatShownRunJson, readShownRun } from "../../src/commands/runs-show.ts";
import { listNewestRuns } from "../../src/state/list-runs.ts";
import { ADA, ADDRESS, childKey, RunDesk } from "../state/run-desk.ts";

const BORN = Date.parse("2026-01-02T03:04:05.000Z");
const NOW = BORN + 12_000;

async function openStore() {
  const store = createInlineStore({ clock: { now: () => BORN } });
  const desk = new RunDesk(store);
  await desk.open();
  await desk.spawns("9f3a1111-aaaa", { label: "words 1/3" });
  await desk.begins("9f3a1111-aaaa");
  await desk.spawns("5b5b2222-bbbb", { label: "\u001b[31mwords\u001b[0m 2/3" });
  await desk.ends("5b5b2222-bbbb", "4,210 words\nin 12 files");
  return store;
}

describe("banyan runs list", () => {
  test("is one line a run: what it is called, how it fares, since when, who asked", async () => {
    const { read } = await openStore();
    const found = await listNewestRuns(read, { limit: 10 });
    expect(formatRuns(found, { now: NOW, stream: new PassThrough() })).toEqual([
      "  ID         NAME       STATE    TIME   TOKENS  ASKED FOR  BY",
      `  5b5b2222…  words 2/3  done     0.3 s  -       12 s ago   ${ADA}`,
      `  9f3a1111…  words 1/3  running  12 s   -       12 s ago   ${ADA}`,
    ]);
    const some = await listNewestRuns(read, { limit: 1 });
    expect(formatRuns(some, { now: NOW, stream: new PassThrough() }).at(-1)).toBe("  and more: --limit shows them");
  });

  test("says that there are none", () => {
    const none = formatRuns({ runs: [], isCut: false }, { now: NOW, stream: new PassThrough() });
    expect(none).toEqual(["  no runs: /spawn in a chat or an agent's tool opens one"]);
  });

  test("the document for scripts is one flat record a run", async () => {
    const { runs } = await listNewestRuns((await openStore()).read, { limit: 10 });
    expect(runs.map((run) => formatRunJson(run, NOW))).toMatchObject([
      { runId: "5b5b2222-bbbb", status: "done", durationMs: 300, completion: { result: "4,210 words\nin 12 files" } },
      { runId: "9f3a1111-aaaa", name: "words 1/3", status: "running", durationMs: 12_000, task: expect.any(String) },
    ]);
  });
});

describe("banyan runs show", () => {
  const show = async (given: string) =>
    formatShownRun(await readShownRun((await openStore()).read, given), { now: NOW, stream: new PassThrough() });

  test("tells what became of a run and of the message about it", async () => {
    expect(await show("5b5b")).toEqual([
      "  run            5b5b2222-bbbb",
      "  name           words 2/3",
      "  state          done",
      "  time           0.3 s",
      "  agent          main",
      "  mode           run, depth 1, sandbox off, cleanup keep",
      "  workspace      /work",
      `  session        ${childKey("5b5b2222-bbbb")}`,
      `  asked by       ${ADA} (tool), in irc dm ada`,
      "  completion to  no session: its requester is gone",
      "  announced      by the gateway, in irc dm ada",
      "  delivery       completion-5b5b2222-bbbb.0 pending, to irc dm ada",
      "  accepted       2026-01-02T03:04:05.000Z",
      "  ended          2026-01-02T03:04:05.000Z",
      "",
      "  task",
      "    count words",
      "    for 5b5b2222-bbbb",
      "",
      "  result",
      "    4,210 words",
      "    in 12 files",
    ]);
  });

  test("of one that runs it says what is to come", async () => {
    const lines = await show("words 1/3");
    expect(lines).toContain("  state       running");
    expect(lines).toContain("  time        12 s");
    expect(lines).toContain("  at its end  the gateway announces it in the chat");
    expect(lines).not.toContain("  result");
  });

  test("the document for scripts holds the deliveries", async () => {
    const found = await readShownRun((await openStore()).read, "5b5b");
    expect(formatShownRunJson(found, NOW)).toMatchObject({
      runId: "5b5b2222-bbbb",
      deliveries: [{ state: "pending", address: ADDRESS, text: expect.stringContaining("4,210") }],
      bindings: [],
    });
  });
});

describe("banyan runs kill", () => {
  test.each<[string, Partial<RunRecord>, readonly string[], string]>([
    ["one", {}, ["9f3a1111-aaaa"], "words 1/3 is stopped"],
    ["one with others below it", {}, ["x", "y", "9f3a1111-aaaa"], "words 1/3 is stopped, and with it 2 runs below it"],
    ["one that was faster", {}, [], "words 1/3 has ended since then"],
    ["one that had ended", { state: "ended", status: "done" }, [], "words 1/3 had ended before: done"],
  ])("%s", async (_name, change, killed, sentence) => {
    const { runs } = await listNewestRuns((await openStore()).read, { limit: 10, state: "running" });
    const [run] = runs;
    if (run === undefined) throw new Error("There is no run");
    expect(formatKilled({ ...run, ...change }, { runId: run.runId, killed })).toBe(`  ${sentence}`);
  });
});
