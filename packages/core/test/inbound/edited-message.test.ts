import { describe, expect, it } from "vitest";
import { CoreDesk } from "../turns/core-desk.ts";
import { aborted, says } from "../turns/played-runtime.ts";

/** Ada's first message runs until the gate opens, and what she says meanwhile waits. */
async function openBusyDesk() {
  const desk = await new CoreDesk().connect();
  const gate = Promise.withResolvers<void>();
  desk.runtime.play = async function* ({ input, signal }) {
    await Promise.race([gate.promise, aborted(signal)]);
    yield* says(`re: ${input.input.map(({ text }) => text).join(", ")}`);
  };
  const first = desk.message("one");
  await desk.receive([first]);
  const waiting = desk.message("two, with a mistkae");
  await desk.receive([waiting]);
  return { desk, first, waiting, open: () => gate.resolve() };
}

describe("an edit", () => {
  it("changes the message while it waits, and begins no turn", async () => {
    const { desk, waiting, open } = await openBusyDesk();
    expect(await desk.receive([{ ...waiting, text: "two, without", editedAt: 5 }])).toEqual(["refused"]);
    expect(await desk.receive([{ ...waiting, text: "two, better", editedAt: 6 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard()).toEqual(["re: one", "re: two, better", "re: three"]);
  });

  it("comes too late once the turn has begun: what the agent was asked counts", async () => {
    const { desk, first, open } = await openBusyDesk();
    expect(await desk.receive([{ ...first, text: "something else", editedAt: 5 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard()).toEqual(["re: one", "re: two, with a mistkae", "re: three"]);
  });

  it.each([
    ["makes a command of it", { text: "/stop" }],
    ["empties it", { text: " " }],
    ["comes from somebody else's address", { text: "mine", sender: { id: "eve" } }],
    ["is of a message that nobody sent", { id: "m-unknown", text: "mine" }],
  ])("that %s changes nothing", async (_name, change) => {
    const { desk, waiting, open } = await openBusyDesk();
    expect(await desk.receive([{ ...waiting, ...change, editedAt: 5 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard()).toEqual(["re: one", "re: two, with a mistkae", "re: three"]);
  });

  it("of a command changes nothing, whatever it says now", async () => {
    const { desk, open } = await openBusyDesk();
    const command = desk.message("/status");
    await desk.receive([command]);
    const heard = desk.heard().length;
    expect(await desk.receive([{ ...command, text: "now a message", editedAt: 5 }])).toEqual(["refused"]);
    open();
    await desk.says("three");
    expect(desk.heard().slice(heard)).toEqual(["re: one", "re: two, with a mistkae", "re: three"]);
  });
});
