import type { Step } from "@banyan/store";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseRunBody } from "../../../src/runs/run-body.ts";
import { FailingSpawn } from "./failing-spawn.ts";
import type { SpawnFault, SpawnPlay } from "./spawn-process.ts";

const RUNS = 150;
/** Two seconds on a machine of its own. No single play has a limit of real time: files are as slow as the machine. */
const PATIENCE_MS = 600_000;
const AGENT_DEATHS = ["T1a", "thread", "T1", "undo", "T2b", "T3"];
const PERSON_DEATHS = ["T1a", "thread", "command", "undo"];
const AGENT_STEPS = ["reserve_run", "accept_run", "undo_run", "set_timers", "tool_result"] as const;
const PERSON_STEPS = ["reserve_run", "command", "undo_run", "set_timers"] as const;

const kind = <Kind extends string>(name: Kind) => fc.constant(name);

function drawFault(steps: readonly Step["step"][]): fc.Arbitrary<SpawnFault> {
  const at = fc.constantFrom(...steps);
  const times = fc.constantFrom(1, 2, 7);
  const does = fc.constantFrom("/new", "/stop", "/kill all", "delete");
  return fc.oneof(
    fc.record({ kind: kind("none") }),
    fc.record({ kind: kind("tap"), does: fc.constantFrom("throws", "hangs", "answers"), answer: fc.jsonValue() }),
    fc.record({ kind: kind("platform"), mood: fc.constantFrom("refuses", "loses", "hangs") }),
    fc.record({ kind: kind("disk"), mood: fc.constantFrom("file", "link", "gone") }),
    fc.record({ kind: kind("meanwhile"), does, at: fc.constantFrom(...steps) }),
    fc.record({
      kind: kind("commit"),
      at,
      end: fc.constantFrom("before", "after"),
      is: fc.constantFrom("commit_unknown", "closed"),
      times,
    }),
    fc.record({ kind: kind("commit"), at, end: kind("before"), is: kind("full"), times }),
  );
}

function drawPlay(from: SpawnPlay["from"]): fc.Arbitrary<SpawnPlay> {
  const isPerson = from === "person";
  const points = (isPerson ? PERSON_DEATHS : AGENT_DEATHS).flatMap((step) => [`${step}.before`, `${step}.after`]);
  const drawn = fc.record({
    from: kind(from),
    mode: fc.constantFrom("run", "session"),
    thread: fc.boolean(),
    files: isPerson ? fc.constant(false) : fc.boolean(),
    fork: isPerson ? fc.constant(false) : fc.boolean(),
    fault: drawFault(isPerson ? PERSON_STEPS : AGENT_STEPS),
    deaths: fc.array(fc.constantFrom(...points), { maxLength: 2 }),
    again: fc.boolean(),
  });
  // What is to fail has to be asked for.
  return drawn.map((play) => ({
    ...play,
    thread: play.thread || play.mode === "session" || ["tap", "platform"].includes(play.fault.kind),
    files: play.files || (play.fault.kind === "disk" && !isPerson),
  }));
}

const play = fc.oneof(drawPlay("agent"), drawPlay("child"), drawPlay("person"));

const plain = { mode: "session", thread: true, files: false, fork: false, deaths: [], again: false } as const;
const lost = { kind: "commit", end: "after" } as const;

/** What once left something behind. */
const KNOWN: readonly SpawnPlay[] = [
  { ...plain, from: "agent", fault: { ...lost, at: "reserve_run", is: "commit_unknown", times: 7 } },
  { ...plain, from: "agent", fault: { kind: "meanwhile", does: "/new", at: "reserve_run" } },
  { ...plain, from: "person", fault: { ...lost, at: "command", is: "closed", times: 1 } },
];

/** What stands when all is at rest is one whole spawn or nothing. */
async function expectWhole(spawn: FailingSpawn, { files, mode, from, fault }: SpawnPlay): Promise<void> {
  const { read } = spawn.desk.store;
  const all = await read.runs({ limit: 99 });
  expect(all.map(({ state }) => state)).not.toContain("reserved");
  expect((await read.counts()).unfinishedRuns).toBe(0);
  const runs = all.filter(({ endedReason }) => endedReason !== "spawn-failed");
  const made = runs.filter(({ body }) => parseRunBody(body).label === "w");
  expect(made.length).toBeLessThanOrEqual(1);
  const [run] = made;
  if (spawn.told?.status === "accepted") expect(made).toHaveLength(1);
  if (spawn.told?.runId !== undefined) expect(run?.runId).toBe(spawn.told.runId);
  if (spawn.told !== undefined && spawn.told.status !== "accepted") {
    expect(spawn.told.error).toMatch(/\S/);
    // A call that was stopped may have spawned before.
    if (!/was stopped/.test(spawn.told.error ?? "")) expect(made).toEqual([]);
    else if (from === "agent" && fault.kind === "meanwhile" && fault.at === "reserve_run" && fault.does !== "/stop")
      expect(made).toEqual([]);
  }
  const keys = (await read.sessions({ limit: 99 })).map(({ key }) => key).filter((key) => key.includes(":subagent:"));
  expect(keys.toSorted()).toEqual(runs.map(({ childSessionKey }) => childSessionKey).toSorted());
  for (const { childSessionKey: lane } of all) expect(await read.openItems({ lane, limit: 9 })).toEqual([]);
  const known = new Set(runs.map(({ runId }) => runId));
  const { bindings } = await read.routes();
  for (const { id } of bindings) known.add(id);
  const timers = await read.timers({ limit: 99 });
  expect(timers.filter(({ id }) => !known.has(id.split("|").at(-1) ?? ""))).toEqual([]);
  const bindingId = run === undefined ? undefined : parseRunBody(run.body).bindingId;
  const isStanding = bindingId !== undefined && mode === "session";
  expect(bindings.map(({ id }) => id)).toEqual(isStanding ? [bindingId] : []);
  expect(spawn.ground.openThreads).toEqual(isStanding ? [bindingId] : []);
  expect(spawn.ground.files).toEqual(files && run !== undefined ? [run.runId] : []);
  expect(await spawn.spawnsAgain()).toMatch(/^🌱/);
}

describe("a spawn in which anything fails at any stage, in processes that die anywhere", () => {
  it(
    "leaves no run, session, message, timer, binding, thread or file behind, and counts no more",
    async () => {
      await fc.assert(
        fc.asyncProperty(play, async (drawn) => {
          const spawn = new FailingSpawn(drawn);
          try {
            await spawn.run();
            await expectWhole(spawn, drawn);
          } finally {
            await spawn.close();
          }
        }),
        { numRuns: RUNS, examples: KNOWN.map((known) => [known]) },
      );
    },
    PATIENCE_MS,
  );
});
