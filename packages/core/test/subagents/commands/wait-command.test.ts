import { describe, expect, it } from "vitest";
import { BusyDesk } from "./busy-desk.ts";

const SILENCE: readonly string[] = [];
const byItself = "Its result comes here by itself; there is no need to wait.";

/** One that is done, and two at work. */
async function openBusy(desk = new BusyDesk()): Promise<BusyDesk> {
  await desk.start();
  await desk.says("/spawn --label quick do it");
  await desk.says('/spawn --label "words 1" work on one');
  await desk.says('/spawn --label "words 2" work on two');
  return desk;
}

describe("/subagents wait", () => {
  it("waits until the sub-agent has ended, and tells its state, never its result", async () => {
    const desk = await openBusy();
    expect(await desk.asks("/subagents wait words 1")).toEqual(SILENCE);
    const before = desk.heard().length;
    await desk.later(5_000);
    await desk.ends("one", "12 words");
    expect(desk.heard().slice(before).toSorted()).toEqual([
      "**words 1** is done in 5.0 s. `/subagents info` shows its result.",
      expect.stringContaining("12 words"),
    ]);
  });

  it("says at once how one that has ended fared", async () => {
    const desk = await openBusy();
    expect(await desk.ask("/subagents wait quick 30s")).toMatch(/^\*\*quick\*\* is done in 0\.0 s\./);
  });

  it.each<[string, number, string]>([
    ["2", 60, "**words 1** is running, 1 min so far."],
    ["words 2 7", 7, "**words 2** is running, 7.0 s so far."],
    ["'words 2' 3m", 180, "**words 2** is running, 3 min so far."],
    ["2 1h", 3_600, "**words 1** is running, 1 h so far."],
  ])("%s waits %i s at most, and says then how far it is", async (line, seconds, told) => {
    const desk = await openBusy();
    await desk.asks(`/subagents wait ${line}`);
    const before = desk.heard().length;
    await desk.later(seconds * 1_000 - 1);
    expect(desk.heard().slice(before)).toEqual(SILENCE);
    await desk.later(1);
    expect(desk.heard().slice(before)).toEqual([`${told} ${byItself}`]);
  });

  it.each(["", "all", "20s", "ALL 20"])("%j waits for all that are at work", async (line) => {
    const desk = await openBusy();
    await desk.asks(`/subagents wait ${line}`);
    const before = desk.heard().length;
    await desk.ends("one", "1");
    await desk.later(19_000);
    expect(desk.heard().slice(before)).toHaveLength(1);
    await desk.ends("two", "2");
    expect(desk.heard().slice(before + 1)).toContainEqual(
      "All have ended:\n- **words 1**: done in 0.0 s\n- **words 2**: done in 19 s",
    );
  });

  it.each([
    ["5", "Nothing here is called `5`."],
    ["nobody 10s", "Nothing here is called `nobody`."],
    ["2 2h", "That is too long to wait; 1h is the longest."],
  ])("%s is not waited for", async (line, told) => {
    const desk = await openBusy();
    expect(await desk.ask(`/subagents wait ${line}`)).toContain(told);
  });

  it("is passed by other commands", async () => {
    const desk = await openBusy();
    await desk.asks("/subagents wait 2 1h");
    expect(await desk.ask("/subagents")).toContain("2 at work, 3 in all.");
    expect(await desk.ask("/subagents wait 1")).toContain("is done");
    expect((await desk.asks("/kill 2")).toSorted()).toEqual([
      expect.stringMatching(/^\*\*words 1\*\* is stopped after/),
      expect.stringContaining("**words 1**"),
    ]);
  });

  it("ends with the person's next message, which is answered as ever", async () => {
    const desk = await openBusy();
    await desk.asks("/subagents wait 2 1h");
    expect(await desk.asks("hello")).toEqual([
      `I wait no longer, since there is more to do here.\n**words 1** is running, 0.0 s so far. ${byItself}`,
      "re: hello",
    ]);
  });

  it("that is cut off by a stop waits anew with the next start, and is answered once", async () => {
    const first = await openBusy();
    await first.asks("/subagents wait 2 30s");
    const before = first.heard().length;
    await first.stop();
    expect(first.heard().slice(before)).toEqual(SILENCE);
    const second = await new BusyDesk({ data: first.data, ports: first.ports }).start();
    await second.later(30_000);
    expect(second.heard()).toEqual([expect.stringMatching(/^\*\*words 1\*\* is running/)]);
  });

  it("leaves no clock running", async () => {
    const desk = await openBusy();
    const { waiting } = desk.ports.clock;
    await desk.asks("/subagents wait 2");
    expect(desk.ports.clock.waiting).toBeGreaterThan(waiting);
    await desk.ends("one", "1");
    await desk.later(2_000);
    expect(desk.ports.clock.waiting).toBeLessThanOrEqual(waiting);
  });
});
