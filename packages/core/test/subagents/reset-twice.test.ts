import { expect, test } from "vitest";
import { buildCompletionEntryId, formatEntry } from "../../src/sessions/transcript.ts";
import { createGate } from "./tools/tool-desk.ts";
import { ADA, TreeDesk } from "./tree-desk.ts";

test("of two resets at once the second stops what writes the ends of the first one's sub-agents: all of them are written", async () => {
  const desk: TreeDesk = new TreeDesk({
    fault(step, when) {
      const [first] = (when === "after" && step.step === "command" && step.runs?.ends) || [];
      // What such a stop leaves, as where two bots of one group hear `/new`.
      if (first !== undefined) void leave(first.runId);
      return "none";
    },
  });
  const leave = async (runId: string) => {
    const stamp = { id: buildCompletionEntryId(runId), timestamp: 0 };
    const entries = [formatEntry({ ...stamp, kind: "completion", role: "user", content: [] })];
    await desk.store.commit({ step: "append_entries", sessionKey: ADA, sessionId: old, entries });
  };
  await desk.start();
  desk.plays(/^look/, createGate().player);
  await desk.says("/spawn --label one look");
  await desk.says("/spawn --label two look");
  const old = (await desk.store.read.session(ADA))?.sessionId ?? "";
  await desk.says("/new");
  await desk.later(1_000);
  const written = (await desk.store.read.entries({ sessionId: old, limit: 99 })).map(({ id }) => id);
  const ends = (await desk.runs()).map(({ runId }) => buildCompletionEntryId(runId));
  expect(ends).toHaveLength(2);
  expect(written.toSorted()).toEqual(expect.arrayContaining(ends));
});
