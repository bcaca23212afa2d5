import { expect, it } from "vitest";
import { buildToolEntry, formatEntry } from "../../src/sessions/transcript.ts";
import { ADA, createGate, spawn } from "./tools/tool-desk.ts";
import { TreeDesk } from "./tree-desk.ts";

/** The process dies while this session's turn runs a tool that cannot be repeated: the call is written, and no end. */
async function dieInTool(desk: TreeDesk, lane: string): Promise<void> {
  const { epoch } = await desk.store.read.lane(lane);
  const session = await desk.store.read.session(lane);
  const open = await desk.store.read.openItems({ lane, limit: 9 });
  const stamp = { id: "a-call", timestamp: desk.ports.clock.now() };
  const call = buildToolEntry(stamp, { type: "tool_call", ordinal: 0, name: "pay", args: {} });
  await desk.store.commit({
    step: "tool_result",
    lane,
    epoch,
    sessionId: session?.sessionId ?? "",
    itemSeq: open.find(({ state }) => state === "active")?.seq ?? 0,
    entries: [formatEntry(call)],
  });
  desk.crash();
}

/** The next process on what a dead one left. */
function restart({ data, ports, messages }: TreeDesk): TreeDesk {
  const desk = new TreeDesk({ data, ports });
  desk.messages = messages;
  return desk;
}

it("a child that was cut off in what cannot be repeated ends as interrupted, and who asked for it is told so", async () => {
  const first = await new TreeDesk().start();
  const { runId, key } = await spawn(first, "w", createGate().player);
  await dieInTool(first, key);
  const desk = restart(first);
  desk.plays(/“w”/, ({ input: { input } }) => {
    const { outcome, error } = input[0]?.completion ?? {};
    return `it is ${outcome}: ${error}`;
  });
  await desk.start();
  await desk.rest();
  expect((await desk.runs())[0]).toMatchObject({ runId, state: "ended", endedReason: "interrupted" });
  // Once, and by who asked; its work does not begin again.
  expect(desk.heard()).toEqual(["it is interrupted: the agent was cut off while pay ran, which cannot be repeated"]);
  expect(desk.turns.map(({ input }) => input[0]?.kind)).toEqual(["completion"]);
  expect((await desk.lines(key)).at(-1)).toMatch(/^notice: ⚠ An input was not finished: .* while pay ran/);
});

it("a person's own conversation that was cut off so has no such end: the person is told, and its children go on", async () => {
  const first = await new TreeDesk().start();
  const { runId } = await spawn(first, "w", createGate().player);
  first.plays(/^pay the bill/, createGate().player);
  await first.says("pay the bill");
  await dieInTool(first, ADA);
  const desk = restart(first);
  const gate = createGate();
  desk.plays(/^work as w/, gate.player);
  desk.plays(/“w”/, ({ input }) => `it found ${input.input[0]?.completion?.result}`);
  await desk.start();
  await desk.rest();
  expect(desk.heard()).toEqual([expect.stringContaining("⚠ Your message “pay the bill” was not finished")]);
  expect(await desk.runs()).toMatchObject([{ runId, state: "running" }]);
  gate.open("12 files");
  await desk.rest();
  expect(desk.heard().slice(1)).toEqual(["it found 12 files"]);
  expect(await desk.runs()).toMatchObject([{ runId, endedReason: "complete" }]);
});
