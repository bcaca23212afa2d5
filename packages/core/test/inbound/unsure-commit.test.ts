import { describe, expect, it } from "vitest";
import { CoreDesk } from "../turns/core-desk.ts";
import { says } from "../turns/played-runtime.ts";

describe("a commit whose end is not known, and a disk that is full right after", () => {
  /** The step is written and nobody hears of it; for a minute every step finds the disk full. */
  async function openUnsure(name: "receive" | "claim") {
    let state: "well" | "unsure" | "full" = "well";
    const desk = await new CoreDesk({
      fault(step, when) {
        if (state === "full" && when === "before") return "full";
        if (state !== "unsure" || step.step !== name || when !== "after") return "none";
        state = "full";
        desk.ports.clock.schedule(60_000, () => {
          state = "well";
        });
        return "commit_unknown";
      },
    }).connect();
    return {
      desk,
      breaks: () => {
        state = "unsure";
      },
    };
  }

  it("a batch is waited for: its lane is claimed in our name already, and nobody else would begin it", async () => {
    const { desk, breaks } = await openUnsure("receive");
    breaks();
    const receiving = desk.receive([
      desk.message("/new"),
      desk.message("one"),
      desk.message("two", { sender: { id: "bob" } }),
    ]);
    await desk.ports.clock.advance(120_000);
    await receiving;
    expect(desk.heard()).toEqual([expect.stringMatching(/^A new conversation begins/), "re: one"]);
    expect(desk.heard("bob")).toEqual(["re: two"]);
    expect(await desk.store.read.counts()).toMatchObject({ waitingItems: 0, activeLanes: 0 });
  });

  it("a claim is waited for, too", async () => {
    const { desk, breaks } = await openUnsure("claim");
    const gate = Promise.withResolvers<void>();
    desk.runtime.play = async function* ({ input }) {
      await gate.promise;
      yield* says(`re: ${input.input[0]?.text}`);
    };
    await desk.says("one");
    await desk.says("two");
    breaks();
    gate.resolve();
    await desk.ports.clock.advance(120_000);
    expect(desk.heard()).toEqual(["re: one", "re: two"]);
    expect(await desk.store.read.counts()).toMatchObject({ waitingItems: 0, activeLanes: 0 });
  });
});
