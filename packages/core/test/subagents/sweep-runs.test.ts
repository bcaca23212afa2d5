import type { RunRow, Store } from "@banyan/store";
import { describe, expect, it } from "vitest";
import { openTestData, openTestStore } from "../open-test-store.ts";
import { createTestPorts } from "../ports/test-ports.ts";
import { aborted } from "../turns/played-runtime.ts";
import { TreeDesk } from "./tree-desk.ts";

/** An agent that spawns a child which does not come to an end. */
async function openDesk(): Promise<TreeDesk> {
  const desk = await new TreeDesk().start();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w" });
    return "asked";
  });
  desk.plays(/^work/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
  return desk;
}

/** The next process on what a dead one left. */
async function restart({ data, ports }: TreeDesk): Promise<TreeDesk> {
  return new TreeDesk({ data, ports }).start();
}

/** As nothing of ours leaves it: the child's lane has lost what it was to run. */
async function strand(store: Store, childSessionKey: string): Promise<void> {
  const lane = await store.read.lane(childSessionKey);
  const claimed = await store.commit({ step: "claim", lane: childSessionKey, owner: "nobody", claimId: "lost" });
  if (claimed.status !== "done") throw new Error(`${childSessionKey} was not claimed: ${lane.waiting} wait`);
  const { epoch, item, session } = claimed.claim;
  if (session === undefined) throw new Error("the session is gone");
  await store.commit({
    step: "commit_turn",
    lane: childSessionKey,
    epoch,
    items: [item.seq],
    itemState: "done",
    entries: [],
    session: { ...session, expectRevision: session.revision },
    deliveries: [],
  });
}

/** The process dies, and what its newest child was to run is lost. */
async function strandNewest(desk: TreeDesk): Promise<void> {
  desk.crash();
  const store = openTestStore({ clock: desk.ports.clock, data: desk.data });
  await store.commit({ step: "recover", owner: "the next" });
  await strand(store, (await desk.runs()).at(-1)?.childSessionKey ?? "");
}

describe("what a dead process left of runs", () => {
  it("goes on where its work waits in its lane", async () => {
    const first = await openDesk();
    await first.says("go");
    first.crash();
    const desk = new TreeDesk({ data: first.data, ports: first.ports });
    desk.plays(/^work/, () => "done after all");
    desk.plays(/“w”/, () => "told");
    await desk.start();
    await desk.rest();
    expect(desk.heard()).toEqual(["told"]);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["complete"]);
  });

  it("is told as interrupted where nothing would ever move it", async () => {
    const first = await openDesk();
    await first.says("go");
    await strandNewest(first);
    const desk = new TreeDesk({ data: first.data, ports: first.ports });
    desk.plays(/“w”/, ({ input }) => `it was ${input.input[0]?.completion?.outcome}`);
    await desk.start();
    await desk.rest();
    expect(desk.heard()).toEqual(["it was interrupted"]);
    expect((await desk.runs())[0]).toMatchObject({ state: "ended", endedReason: "interrupted", settledBy: "parent" });
  });

  it("is left alone while a child of its own works, and moved by that one's end", async () => {
    const first = await openDesk();
    first.plays(/^work/, async ({ call }) => {
      await call("sessions_spawn", { task: "leaf", label: "l" });
      return "waiting";
    });
    first.plays(/^leaf/, async ({ signal }) => {
      await aborted(signal);
      return "";
    });
    await first.says("go");
    expect(await first.runs()).toHaveLength(2);
    await strandNewest(first);
    const desk = new TreeDesk({ data: first.data, ports: first.ports });
    desk.plays(/“l”/, ({ input }) => `leaf ${input.input[0]?.completion?.outcome}`);
    desk.plays(/“w”/, ({ input }) => `w says: ${input.input[0]?.completion?.result}`);
    await desk.start();
    await desk.rest();
    expect(desk.heard()).toEqual(["w says: leaf interrupted"]);
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["complete", "interrupted"]);
  });

  it("is undone where it was only reserved, and the call that runs again spawns", async () => {
    let isCrashing = true;
    const first: TreeDesk = new TreeDesk({
      faultPoint: (name) => {
        if (name === "T1.before" && isCrashing) first.crash();
      },
    });
    await first.start();
    first.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked";
    });
    await first.says("go");
    const left = openTestStore({ clock: first.ports.clock, data: first.data });
    expect((await left.read.runs({ limit: 9 })).map(({ state }) => state)).toEqual(["reserved"]);
    isCrashing = false;
    const desk = new TreeDesk({ data: first.data, ports: first.ports });
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked";
    });
    desk.plays(/^work/, () => "done");
    desk.plays(/“w”/, () => "told");
    await desk.start();
    await desk.rest();
    expect((await desk.runs()).map(({ endedReason }) => endedReason)).toEqual(["spawn-failed", "complete"]);
    expect(desk.heard()).toEqual(["asked", "told"]);
    expect((await desk.lines()).filter((line) => line.startsWith("completion"))).toEqual(["completion: done done"]);
  });

  it("keeps no start from going on where it cannot be read", async () => {
    const first = await openDesk();
    await first.says("go");
    first.crash();
    const store = openTestStore({ clock: first.ports.clock, data: first.data });
    const [run] = await store.read.runs({ limit: 1 });
    if (run === undefined) throw new Error("nothing was spawned");
    const broken = { ...run, runId: "broken", dedupe: "broken", childSessionKey: "broken", body: "no body" };
    await store.commit({ step: "reserve_run", run: broken, mostChildren: 9, mostTreeRuns: 9 });
    const desk = new TreeDesk({ data: first.data, ports: first.ports });
    desk.plays(/^work/, () => "done");
    desk.plays(/“w”/, () => "told");
    await desk.start();
    await desk.rest();
    expect(desk.heard()).toEqual(["told"]);
    const left = desk.ports.logged.filter(({ message }) => message.includes("left as it is"));
    expect(left).toMatchObject([{ level: "error", fields: { runId: "broken" } }]);
  });

  it("is found again by the next start where this one dies too", async () => {
    const first = await openDesk();
    await first.says("go");
    await strandNewest(first);
    const second: TreeDesk = new TreeDesk({
      data: first.data,
      ports: createTestPorts({ faultPoint: (name) => void (name === "T4.before" && second.crash()) }),
    });
    await second.gateway.start().catch(() => undefined);
    expect((await first.runs())[0]?.state).not.toBe("ended");
    const third = await restart(first);
    await third.rest();
    expect((await third.runs())[0]?.endedReason).toBe("interrupted");
  });
});

it("a start that waits for room on the disk to undo what was left is given up when the gateway is to stop", async () => {
  const first: TreeDesk = new TreeDesk({ faultPoint: (name) => void (name === "T1.before" && first.crash()) });
  await first.start();
  first.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work", label: "w" });
    return "asked";
  });
  await first.says("go");
  const desk = new TreeDesk({
    data: first.data,
    ports: createTestPorts(),
    fault: ({ step }, when) => (step === "undo_run" && when === "before" ? "full" : "none"),
  });
  const started = desk.gateway.start().then(
    () => "it runs",
    (error: Error) => error.name,
  );
  await desk.ports.clock.advance(60_000);
  await desk.stop();
  expect(await started).toBe("AbortError");
  const left = openTestStore({ clock: desk.ports.clock, data: first.data });
  expect((await left.read.runs({ limit: 9 })).map(({ state }) => state)).toEqual(["reserved"]);
});

it("a start reads the unfinished runs alone, however many have ended", async () => {
  const data = openTestData();
  const ports = createTestPorts();
  const desk = new TreeDesk({ data, ports });
  const asked: object[] = [];
  const read = desk.store.read.runs;
  Object.assign(desk.store.read, {
    runs: async (query: Parameters<typeof read>[0]): Promise<readonly RunRow[]> => {
      asked.push(query);
      return read(query);
    },
  });
  await desk.start();
  expect(asked).toEqual([{ states: ["reserved", "accepted", "running", "waiting"], limit: 500 }]);
});
