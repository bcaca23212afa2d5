import { describe, expect, it } from "vitest";
import { BusyDesk } from "./busy-desk.ts";
import { GROVE, openThread, THREAD } from "./focus-desk.ts";

async function openBusy(options: ConstructorParameters<typeof BusyDesk>[0] = {}): Promise<BusyDesk> {
  const desk = await new BusyDesk(options).start();
  await desk.says("/spawn --label words split words a b");
  return desk;
}

const statesOf = async (desk: BusyDesk) => (await desk.runs()).map(({ state, endedReason }) => endedReason ?? state);

describe("/kill", () => {
  it("stops a sub-agent and all below it, and says so once", async () => {
    const desk = await openBusy();
    expect(await desk.asks("/kill words")).toEqual(["Stopped **words** and 2 below it."]);
    expect(await statesOf(desk)).toEqual(["killed", "killed", "killed"]);
    expect((await desk.lines()).at(-1)).toBe("completion: killed half");
    expect((await desk.store.read.counts()).activeLanes).toBe(0);
  });

  it("keeps what it said so far, and tells the agent who stopped it", async () => {
    const desk = await openBusy();
    await desk.says("/kill a");
    const [, a] = await desk.runs();
    expect(JSON.parse(a?.result ?? "{}")).toMatchObject({ outcome: "killed", error: "It was stopped by ada." });
    expect(await statesOf(desk)).toEqual(["running", "killed", "running"]);
  });

  it("stops all of them, those below what has ended as well", async () => {
    const desk = await openBusy();
    await desk.says("/spawn --label other work on other");
    expect(await desk.asks("/kill all")).toEqual(["Stopped **words**, **other** and 2 below them."]);
    expect(await statesOf(desk)).toEqual(["killed", "killed", "killed", "killed"]);
    expect(await desk.ask("/kill all")).toBe("Nothing is at work here; there is nothing to stop.");
  });

  it("stops many at once, also where each takes its time to stop", async () => {
    const desk = await new BusyDesk().start();
    const never = new Promise<string>(() => undefined);
    desk.plays(/^hang/, () => never);
    for (const name of ["a", "b", "c", "d", "e"]) await desk.says(`/spawn --label ${name} hang on`);
    await desk.says("/kill all");
    await desk.later(6_000);
    expect(desk.heard().at(-1)).toBe("Stopped **a**, **b**, **c**, **d**, **e**.");
    const runs = await desk.runs();
    expect(new Set(runs.map(({ result }) => JSON.parse(result ?? "{}").durationMs)).size).toBe(1);
  });

  it("lets go on what waited for the one that was stopped", async () => {
    const desk = await new BusyDesk().start();
    desk.plays(/The sub-agent “a”/, () => "without a, then");
    await desk.says("/spawn --label words split words a");
    await desk.ends("words", "waiting for a");
    expect(await desk.asks("/kill a")).toEqual([
      "Stopped **a**.",
      expect.stringMatching(/^✅ \*\*words\*\* .*without a, then$/s),
    ]);
  });

  it("asks which one, and says of one that has ended how it ended", async () => {
    const desk = await openBusy();
    expect(await desk.ask("/kill")).toMatch(/^Which one\? `\/kill 1`/);
    await desk.says("/spawn --label quick do it");
    expect(await desk.ask("/kill quick")).toBe("Nothing to stop: **quick** is done in 0.0 s.");
    expect(await desk.ask("/kill 99")).toContain("Nothing here is called `99`.");
    expect(await statesOf(desk)).toEqual(["running", "running", "running", "complete"]);
    await desk.says("/kill all");
    expect(await desk.ask("/kill")).toBe("Nothing is at work here; there is nothing to stop.");
  });

  it("leaves to others what is theirs, whatever they are called by", async () => {
    const desk = await openBusy();
    const [words] = await desk.runs();
    for (const target of ["1", "words", words?.runId, words?.childSessionKey, "all"])
      expect(await desk.ask(`/kill ${target}`, "bob")).toMatch(/no sub-agent|nothing to stop/);
    expect(await statesOf(desk)).toEqual(["running", "running", "running"]);
  });

  it("comes too late for one that ends at the same moment: that end counts, and it is said", async () => {
    let meanwhile: (() => void) | undefined;
    const desk: BusyDesk = await openBusy({
      faultPoint(name) {
        if (name !== "command.before") return;
        meanwhile?.();
        meanwhile = undefined;
      },
    });
    await desk.says("/spawn --label solo work on solo");
    const solo = (await desk.runs()).at(-1);
    const { runId = "", childSessionKey = "" } = solo ?? {};
    const completion = { runId, childSessionKey, task: "x", outcome: "done", result: "42", durationMs: 7 };
    const none = { deliveries: [], timers: [], endTimers: [] };
    meanwhile = () => {
      const end = { runId, endedReason: "complete", result: JSON.stringify(completion), settledBy: "nobody" } as const;
      void desk.store.commit({ step: "end_runs", ends: [{ ...end, ...none }], closed: [] });
    };
    expect(await desk.asks("/kill solo")).toEqual(["Nothing to stop: **solo** is done in 0.0 s."]);
    expect((await statesOf(desk)).at(-1)).toBe("complete");
    // The turn that was stopped for nothing was given back.
    expect(desk.turns.filter(({ input }) => input[0]?.text === "work on solo")).toHaveLength(2);
  });

  it("is done once, however often it is decided", async () => {
    let lost = 1;
    const desk = await openBusy({
      fault(step, when) {
        if (step.step !== "command" || step.runs === undefined || when === "before" || lost === 0) return "none";
        lost -= 1;
        return "commit_unknown";
      },
    });
    await desk.says("/kill words");
    await desk.ports.clock.advance(10_000);
    await desk.rest();
    expect(desk.heard().filter((text) => text.startsWith("Stopped"))).toEqual(["Stopped **words** and 2 below it."]);
    expect((await desk.lines()).filter((line) => line.startsWith("completion"))).toHaveLength(1);
  });

  it("lets the sub-agent go on with what waits for it, also where the store's answer is lost", async () => {
    let lost = 1;
    const desk = await new BusyDesk({
      fault(step, when) {
        if (step.step !== "command" || step.runs === undefined || when === "before" || lost === 0) return "none";
        lost -= 1;
        return "commit_unknown";
      },
    }).start();
    desk.plays(/^more/, () => "more is done");
    await desk.says("/spawn --label words work on it");
    await desk.says("/subagents send words more");
    const [run] = await desk.runs();
    await desk.says(`/kill ${run?.runId}`);
    expect(await statesOf(desk)).toEqual(["killed", "complete"]);
  });
});

describe("/kill of a sub-agent with a thread", () => {
  /** Its task is done; then somebody writes in its thread, and the answer does not come. */
  async function openAnswering(options: ConstructorParameters<typeof BusyDesk>[0] = {}): Promise<BusyDesk> {
    const desk = await openThread(options);
    await desk.ends("a", "a is done");
    await desk.ends("helper", "ready");
    await desk.rest();
    await desk.saysAt(THREAD, "work on more");
    return desk;
  }
  const laneOf = async (desk: BusyDesk) => desk.store.read.lane((await desk.runs())[0]?.childSessionKey ?? "");

  it("whose task is done stops the answer that it makes there, and keeps what it said", async () => {
    const desk = await openAnswering();
    expect((await laneOf(desk)).active).toHaveLength(1);
    await desk.saysAt(THREAD, "and then?");
    await desk.saysAt(GROVE, "/kill helper");
    expect(desk.heardAt(GROVE).at(-1)).toBe(
      "**helper** is done in 0.0 s. Stopped: the answer that it was making. 1 message still waits and will be answered.",
    );
    const helper = (await desk.runs())[0]?.childSessionKey;
    expect((await desk.lines(helper)).slice(-4)).toEqual([
      "user: work on more",
      "assistant: half",
      "user: and then?",
      "assistant: re: and then?",
    ]);
    expect(desk.heardAt(THREAD).at(-1)).toBe("re: and then?");
    expect((await laneOf(desk)).active).toEqual([]);
    await desk.saysAt(GROVE, "/kill helper");
    expect(desk.heardAt(GROVE).at(-1)).toBe("Nothing to stop: **helper** is done in 0.0 s.");
  });

  it("stops what such an answer has asked for as well", async () => {
    const desk = await openThread();
    await desk.ends("a", "a is done");
    await desk.ends("helper", "ready");
    await desk.saysAt(THREAD, "split more b");
    await desk.saysAt(GROVE, "/kill helper");
    expect(desk.heardAt(GROVE).at(-1)).toBe(
      "**helper** is done in 0.0 s. Stopped: the answer that it was making and 1 sub-agent below it.",
    );
    expect(await statesOf(desk)).toEqual(["complete", "complete", "killed"]);
  });

  it("while its task waits for others stops that and the answer, in one step", async () => {
    const desk = await openThread();
    await desk.ends("helper", "waiting for a");
    await desk.saysAt(THREAD, "work on more");
    desk.steps.length = 0;
    await desk.saysAt(GROVE, "/kill helper");
    expect(desk.heardAt(GROVE).at(-1)).toBe(
      "Stopped **helper** and 1 below it. The answer that it was making is stopped, too.",
    );
    expect(await statesOf(desk)).toEqual(["killed", "killed"]);
    expect((await laneOf(desk)).active).toEqual([]);
    expect(desk.steps.filter(({ step }) => step === "command" || step === "end_runs")).toHaveLength(1);
  });

  it("that comes too late for the answer says that there was nothing", async () => {
    let meanwhile: (() => void) | undefined;
    const desk: BusyDesk = await openAnswering({
      faultPoint(name) {
        if (name !== "command.before") return;
        meanwhile?.();
        meanwhile = undefined;
      },
    });
    const { lane, epoch, active } = await laneOf(desk);
    const row = await desk.store.read.session(lane);
    if (row === undefined) throw new Error("the child has no session");
    const { key, agentId, sessionId, file, revision, body } = row;
    const session = { key, agentId, sessionId, file, body, expectRevision: revision };
    const none = { entries: [], deliveries: [] };
    const end = { step: "commit_turn", lane, epoch, items: active, itemState: "done", session, ...none } as const;
    meanwhile = () => void desk.store.commit(end);
    await desk.saysAt(GROVE, "/kill helper");
    expect(active).toHaveLength(1);
    expect(desk.heardAt(GROVE).at(-1)).toBe("Nothing to stop: **helper** is done in 0.0 s.");
    expect(await desk.lines(key)).not.toContain("assistant: half");
  });
});
