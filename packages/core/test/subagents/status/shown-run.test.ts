import { expect, it } from "vitest";
import { TreeDesk } from "../tree-desk.ts";

it("where each message arrives once, the answer to /spawn shows the run while it works, and its end apart from the result", async () => {
  const shown: [platformId: string, state: string | undefined, text: string][] = [];
  const desk = await new TreeDesk({
    delivery: "effectively-once",
    edits: {
      edit: async ({ platformId, run, text }) => void shown.push([platformId, run?.state, text]),
    },
  }).start();
  const end = Promise.withResolvers<string>();
  desk.plays(/^dig/, () => end.promise);
  await desk.says("/spawn --label well dig a well");
  await desk.later(10_000);
  const [answer] = desk.sent;
  expect(shown).toEqual([[answer?.deliveryId, "working", expect.stringMatching(/^🌱 \*\*well\*\* is at work/)]]);
  end.resolve("deep");
  await desk.later(10_000);
  expect(shown.slice(1)).toEqual([[answer?.deliveryId, undefined, expect.stringMatching(/^✅ \*\*well\*\*/)]]);
  expect(desk.sent).toHaveLength(2);
  expect(desk.heard()[1]).toMatch(/well[\s\S]*deep/);
});
