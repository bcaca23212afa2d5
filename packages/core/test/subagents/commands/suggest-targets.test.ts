import { expect, it } from "vitest";
import { addressOf } from "../tree-desk.ts";
import { BusyDesk } from "./busy-desk.ts";

const ask = async (desk: BusyDesk, typed: string, from = "ada") =>
  (await desk.context?.suggestTargets({ address: addressOf(from), sender: { id: from }, typed })) ?? [];

const labelsOf = async (desk: BusyDesk, typed: string, from?: string) =>
  (await ask(desk, typed, from)).map(({ label }) => label);

it("what somebody types is completed to the sub-agents of his conversation, the newest first", async () => {
  const desk = await new BusyDesk().start();
  await desk.says("/spawn --label words split words trees birds");
  await desk.says("/spawn --label Work work on own");
  await desk.ends("own", "done");
  await desk.says("/spawn --label elsewhere work on other", "eve");
  const runs = await desk.runs();
  expect(await labelsOf(desk, "")).toEqual([
    "Work · done in 0.0 s",
    "birds · running, 0.0 s so far",
    "trees · running, 0.0 s so far",
    "words · running, 0.0 s so far",
  ]);
  expect(await labelsOf(desk, " WO")).toEqual(["Work · done in 0.0 s", "words · running, 0.0 s so far"]);
  expect(await labelsOf(desk, "2")).toEqual(["trees · running, 0.0 s so far"]);
  expect(await labelsOf(desk, "none")).toEqual([]);
  const [first] = await ask(desk, runs[0]?.runId.slice(0, 9) ?? "");
  expect(first).toEqual({ value: runs[0]?.runId, label: "words · running, 0.0 s so far" });
  // The value is what every command takes.
  expect(await desk.ask(`/kill ${first?.value}`)).toBe("Stopped **words** and 2 below it.");
});

it("nobody is told of another conversation's", async () => {
  const desk = await new BusyDesk().start();
  await desk.says("/spawn --label words work on words");
  expect(await labelsOf(desk, "", "eve")).toEqual([]);
});

it("at most twenty-five are named, each on one line that fits", async () => {
  const desk = await new BusyDesk({ subagents: { maxChildrenPerAgent: 100 } }).start();
  for (let at = 1; at <= 27; at += 1) await desk.says(`/spawn --label "${at} ${"long ".repeat(18)}" work on w${at}`);
  const labels = await labelsOf(desk, "");
  expect(labels).toHaveLength(25);
  expect(labels[0]).toMatch(/^27 long .*… · (queued|running), [\d.]+ s so far$/);
  expect(Math.max(...labels.map((label) => label.length))).toBeLessThanOrEqual(100);
});
