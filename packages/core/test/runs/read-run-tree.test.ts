import type { RunRow, StoreReads } from "@banyan/store";
import { describe, expect, test } from "vitest";
import { type RunTreeQuery, readRunTree } from "../../src/runs/read-run-tree.ts";
import { listTreeRuns } from "../../src/runs/run-tree.ts";
import { buildRow, childKey, endRow, ROOT } from "./run-rows.ts";

/** The read as every driver gives it, and what it was asked. */
function createReads(rows: readonly RunRow[]): { read: Pick<StoreReads, "runs">; limits: number[] } {
  const limits: number[] = [];
  const runs: StoreReads["runs"] = async ({ states, childSessionKey, rootSessionKey, afterRunId, newest, limit }) => {
    limits.push(limit);
    const fits = rows.filter(
      (row) =>
        (states?.includes(row.state) ?? true) &&
        (childSessionKey === undefined || row.childSessionKey === childSessionKey) &&
        (rootSessionKey === undefined || row.rootSessionKey === rootSessionKey),
    );
    const at = fits.findIndex(({ runId }) => runId === afterRunId);
    if (newest) return (at === -1 ? fits : fits.slice(0, at)).slice(-limit);
    return fits.slice(at + 1, at + 1 + limit);
  };
  return { read: { runs }, limits };
}

async function list(rows: readonly RunRow[], query: Partial<RunTreeQuery> = {}): Promise<string> {
  const { nodes } = await readRunTree(createReads(rows).read, { sessionKey: ROOT, ...query });
  return listTreeRuns(nodes)
    .map(({ runId }) => runId)
    .join(" ");
}

const inner = { requesterSessionKey: childKey("a"), parentRunId: "a" };

describe("the tree of a session", () => {
  test("holds its runs and no other's", async () => {
    const other = { rootSessionKey: "agent:main:main", requesterSessionKey: "agent:main:main" };
    expect(await list([buildRow("a"), buildRow("x", other), buildRow("b", inner)])).toBe("a b");
  });

  test("of a child is what is below it", async () => {
    const rows = [buildRow("a"), buildRow("b", inner), buildRow("c")];
    expect(await list(rows, { sessionKey: childKey("a") })).toBe("b");
    const { rootSessionKey } = await readRunTree(createReads(rows).read, { sessionKey: childKey("a") });
    expect(rootSessionKey).toBe(ROOT);
  });

  test("leaves out what was put away or never came to be, unless something below it is there", async () => {
    const away = { archivedAtMs: 9 };
    const rows = [
      endRow(buildRow("a", away)),
      buildRow("b", inner),
      endRow(buildRow("c", away)),
      buildRow("d", { state: "ended", endedReason: "spawn-failed" }),
    ];
    expect(await list(rows)).toBe("a b");
    expect(await list(rows, { isShown: () => true })).toBe("a b c");
  });

  test("holds all that is unfinished, however many have ended since", async () => {
    const ended = Array.from({ length: 700 }, (_, at) => endRow(buildRow(`e${at}`)));
    const rows = [buildRow("old"), ...ended];
    expect(await list(rows, { mostRuns: 3 })).toBe("old e697 e698 e699");
    expect((await list(rows)).split(" ")).toHaveLength(701);
  });

  test("is read in small pages, at most 10,000 runs", async () => {
    const { read, limits } = createReads(Array.from({ length: 10_300 }, (_, at) => endRow(buildRow(`e${at}`))));
    const { nodes } = await readRunTree(read, { sessionKey: ROOT, mostRuns: 1_000_000 });
    expect(nodes).toHaveLength(10_000);
    expect(Math.max(...limits)).toBe(200);
  });

  test("shows the beginning of long results only", async () => {
    const long = endRow(buildRow("a", { body: { task: "t".repeat(9_000) } }), { result: "r".repeat(9_000) });
    const { nodes } = await readRunTree(createReads([long]).read, { sessionKey: ROOT });
    expect([nodes[0]?.run.body.task.length, nodes[0]?.run.completion?.result.length]).toEqual([500, 500]);
  });
});
