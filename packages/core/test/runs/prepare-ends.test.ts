import { isAddress } from "@banyan/plugin-sdk";
import { describe, expect, it } from "vitest";
import { ThreadAccount } from "../subagents/timers/thread-account.ts";
import { TreeDesk } from "../subagents/tree-desk.ts";
import { aborted } from "../turns/played-runtime.ts";

const LONG_MS = 30 * 60_000;

/** Trees may be three deep here, and “work” hangs. */
async function openDesk(): Promise<TreeDesk> {
  const main = { runtime: "played", workspace: "/workspace", tools: { deny: [] }, subagents: { maxSpawnDepth: 3 } };
  const desk = await new TreeDesk({ agents: { main }, threads: new ThreadAccount() }).start();
  return desk.plays(/^work/, async ({ signal }) => {
    await aborted(signal);
    return "";
  });
}

const endsOf = async (desk: TreeDesk) => (await desk.runs()).map(({ state, endedReason }) => endedReason ?? state);

describe("what is stopped with what is above it", () => {
  it("wakes the run that waits for it where that one goes on, having been asked for from elsewhere", async () => {
    const desk = await openDesk();
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "leaf", label: "l" });
      return "asked";
    });
    desk.plays(/^leaf/, () => "I am here");
    desk.plays(/^more/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      return "asked too";
    });
    desk.plays(/“w”/, () => "it was stopped");
    await desk.says("/spawn --label m middle");
    const [middle] = await desk.runs();
    await desk.says("/subagents send l more");
    expect(await endsOf(desk)).toEqual(["complete", "complete", "waiting", "running"]);
    const deleted = desk.gateway.operations["sessions-delete"]?.({ key: middle?.childSessionKey });
    await desk.later(1_000);
    await deleted;
    expect(await endsOf(desk)).toEqual(["complete", "complete", "complete", "killed"]);
    expect(desk.heard().at(-1)).toMatch(/^✅ \*\*l\*\* .*\n\nit was stopped$/s);
  });

  it("is told of nowhere where what had asked for it failed", async () => {
    const desk = await openDesk();
    desk.plays(/^go/, async ({ call }) => {
      await call("sessions_spawn", { task: "middle", label: "m", thread: true });
      return "asked";
    });
    desk.plays(/^middle/, async ({ call }) => {
      await call("sessions_spawn", { task: "work", label: "w" });
      throw new Error("model down");
    });
    desk.plays(/“m”/, () => "m failed");
    await desk.says("go");
    await desk.later(LONG_MS);
    expect(await endsOf(desk)).toEqual(["error", "killed"]);
    expect(desk.sent.map(({ text }) => text)).toEqual([
      "asked",
      expect.stringContaining("could not finish"),
      "m failed",
    ]);
  });
});

/** A sub-agent hangs at its task, and somebody asks for more in its thread. */
async function openThread(spawn: object): Promise<TreeDesk> {
  const desk = await openDesk();
  desk.plays(/^go/, async ({ call }) => {
    await call("sessions_spawn", { task: "work long", label: "m", thread: true, ...spawn });
    return "asked";
  });
  await desk.says("go");
  const [binding] = (await desk.store.read.routes()).bindings;
  if (binding === undefined || !isAddress(binding.address)) throw new Error("no thread was opened");
  await desk.saysAt(binding.address, "/spawn work");
  expect(await endsOf(desk)).toEqual(["running", "running"]);
  return desk;
}

describe("what people have asked for in a sub-agent's thread", () => {
  it("ends with a session that is stopped on purpose", async () => {
    const desk = await openThread({ mode: "session" });
    await desk.says("/kill m");
    await desk.later(LONG_MS);
    expect(await endsOf(desk)).toEqual(["killed", "killed"]);
  });

  it("ends with a task that runs out of time, and goes on where its session stays", async () => {
    const task = await openThread({ mode: "run", runTimeoutSeconds: 60 });
    await task.later(70_000);
    expect(await endsOf(task)).toEqual(["timeout", "killed"]);
    const session = await openThread({ mode: "session", runTimeoutSeconds: 60 });
    await session.later(70_000);
    expect(await endsOf(session)).toEqual(["timeout", "running"]);
  });
});

describe("ends that are made ready", () => {
  async function openRunning() {
    const desk = await openDesk();
    await desk.says("/spawn work");
    const [run] = await desk.runs();
    if (run === undefined) throw new Error("nothing was spawned");
    const kill = () => desk.gateway.operations["run-kill"]?.({ runId: run.runId });
    return { desk, run, kill };
  }

  it.each([
    ["take what was asked for meanwhile along", false],
    ["take what was asked for meanwhile along also where the session works on for another", true],
  ])("%s", async (_, worksOn) => {
    const { desk, run, kill } = await openRunning();
    if (worksOn) await desk.says("/subagents send 1 more");
    const { runId, childSessionKey } = run;
    const late = { ...run, runId: "late", dedupe: "late", parentRunId: runId, requesterSessionKey: childSessionKey };
    const reserve = { step: "reserve_run", run: late, mostChildren: 9, mostTreeRuns: 9 } as const;
    let isFirst = true;
    desk.gateway.hooks.subagent_delivery_target.tapPromise("late", async () => {
      if (isFirst) expect((await desk.store.commit(reserve)).status).toBe("done");
      isFirst = false;
      return undefined;
    });
    await kill();
    await desk.rest();
    expect(await endsOf(desk)).toEqual(["killed", ...(worksOn ? ["complete"] : []), "spawn-failed"]);
  });

  it("leave everything as it was where they cannot be read: the turn that was stopped for them runs again", async () => {
    const { desk, run, kill } = await openRunning();
    const read = desk.store.read.session;
    let isBroken = true;
    Object.assign(desk.store.read, {
      session: (key: string) =>
        isBroken && key === run.childSessionKey ? Promise.reject(new Error("a bad block")) : read(key),
    });
    await expect(kill()).rejects.toThrow(/a bad block/);
    isBroken = false;
    await desk.rest();
    expect(await endsOf(desk)).toEqual(["running"]);
    expect(desk.turns.map(({ input }) => input[0]?.text)).toEqual(["work", "work"]);
  });
});
