import { describe, expect, it } from "vitest";
import { createTestPorts } from "../../ports/test-ports.ts";
import { ADA, TreeDesk } from "../tree-desk.ts";

/** A process that dies at the point, if one is named; its agent spawns and then says what it was told. */
async function open(dies: string | undefined, before: TreeDesk | undefined): Promise<TreeDesk> {
  const ports = createTestPorts({ faultPoint: (name) => void (name === dies && desk.crash()) });
  const desk: TreeDesk = new TreeDesk({ ports, ...(before === undefined ? {} : { data: before.data }) });
  desk.plays(/^go/, async ({ call }) => {
    const spawned = await call("sessions_spawn", { task: "work", label: "w" });
    return `spawned ${JSON.parse(spawned.text).runId}`;
  });
  desk.plays(/^work/, () => "the result");
  desk.plays(/“w”/, ({ input }) => `told of ${input.input[0]?.completion?.runId}`);
  return desk.start();
}

describe("a turn that spawns and dies before it knows", () => {
  it.each([
    ["T1.after", "T2b.before"],
    ["T2b.before", "T2b.before"],
  ])("spawns once, though its process dies at %s and the next one at %s", async (dies, diesAgain) => {
    const first = await open(dies, undefined);
    await first.says("go");
    const second = await open(diesAgain, first);
    await second.rest();
    const third = await open(undefined, second);
    await third.rest();
    const runs = await third.runs();
    expect(runs).toHaveLength(1);
    const [{ runId = "" } = {}] = runs;
    expect(third.heard()).toEqual([`spawned ${runId}`, `told of ${runId}`]);
    expect((await third.store.read.lane(ADA)).waiting).toBe(0);
    expect((await third.lines()).filter((line) => line.startsWith("completion"))).toEqual([
      "completion: done the result",
    ]);
  });

  it("is set aside after the fifth time; what it has spawned goes on, and comes to who had asked", async () => {
    let desk: TreeDesk | undefined;
    for (const dies of ["T1.after", "T2b.before", "T2b.before", "T2b.before", "T2b.before"]) {
      const isFirst = desk === undefined;
      desk = await open(dies, desk);
      if (isFirst) await desk.says("go");
      await desk.rest();
    }
    const last = await open(undefined, desk);
    await last.rest();
    const [run, ...more] = await last.runs();
    expect(more).toEqual([]);
    expect(run).toMatchObject({ endedReason: "complete", settledBy: "parent" });
    expect(last.heard()).toHaveLength(2);
    expect(last.heard()[0]).not.toContain("spawned");
    expect(last.heard()[1]).toBe(`told of ${run?.runId}`);
    expect(await last.store.read.counts()).toMatchObject({ unfinishedRuns: 0, activeLanes: 0 });
  });
});
