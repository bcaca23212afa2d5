import { describe, expect, it } from "vitest";
import { BusyDesk } from "./busy-desk.ts";

const SENT = "Sent to **words**, which gets it when its present turn is over: its result answers this, too.";

describe("/subagents steer", () => {
  it("tells a sub-agent at work something: a turn of the same run, which ends once and with the answer to both", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label words work on words");
    expect(await desk.asks("/subagents steer words only markdown")).toEqual([SENT]);
    expect(await desk.asks('/subagents steer "words" and "html"')).toEqual([SENT]);
    await desk.ends("words", "12 words");
    const [run, ...more] = await desk.runs();
    expect([run?.endedReason, more]).toEqual(["complete", []]);
    expect(desk.heard().slice(3)).toEqual([expect.stringMatching(/^✅ \*\*words\*\* · done .*re: and "html"$/s)]);
    expect(await desk.lines(run?.childSessionKey)).toEqual([
      "user: work on words",
      "assistant: 12 words",
      "user: only markdown",
      "assistant: re: only markdown",
      'user: and "html"',
      'assistant: re: and "html"',
    ]);
  });

  it("refuses what is not at work, and says what does that", async () => {
    const desk = await new BusyDesk().start();
    await desk.says("/spawn --label quick do it");
    expect(await desk.ask("/subagents steer quick faster")).toBe(
      "**quick** is not at work, so there is nothing to steer. `/subagents send` gives it more to do.",
    );
    expect(await desk.runs()).toHaveLength(1);
  });

  it("is heard once where the answer of the store is lost", async () => {
    let lost = true;
    const desk = await new BusyDesk({
      fault(step, when) {
        if (step.step !== "command" || step.items.length === 0 || when === "before" || !lost) return "none";
        lost = false;
        return "commit_unknown";
      },
    }).start();
    await desk.says("/spawn --label words work on words");
    await desk.says("/subagents steer words faster");
    await desk.later(10_000);
    await desk.ends("words", "12 words");
    const [run] = await desk.runs();
    expect((await desk.lines(run?.childSessionKey)).filter((line) => line === "user: faster")).toHaveLength(1);
    expect(desk.heard().at(-1)).toMatch(/re: faster$/);
  });
});
