import { expect, it } from "vitest";
import { commitStep } from "../../src/ports/commit-step.ts";
import { openTestData } from "../open-test-store.ts";
import { openBusy } from "../turns/busy-desk.ts";
import { ADA } from "../turns/core-desk.ts";

it.each([
  ["/stop", "Stopped. What was said so far is kept."],
  ["/new", "A new conversation begins; the old one is kept. The running answer was stopped."],
])(
  "%s that a death has cut off with the turn it was meant for stops that turn all the same",
  async (command, answer) => {
    const data = openTestData();
    const first = await openBusy({ data, fault: ({ step }) => (step === "command" ? "closed" : "none") });
    await first.says("long");
    await first.says(command);
    const next = await openBusy({ data });
    await commitStep(next.store, { step: "recover", owner: "next" });
    await next.inbound.resume();
    await next.lanes.resume();
    await next.ports.clock.advance(1_000);
    expect(next.heard()).toEqual([answer]);
    expect(await next.store.read.openItems({ lane: ADA, limit: 10 })).toEqual([]);
  },
);

it("a stop does not wait for a turn after it, nor for one that does not start", async () => {
  const data = openTestData();
  const first = await openBusy({ data, fault: ({ step }) => (step === "command" ? "closed" : "none") });
  await first.says("long");
  await first.says("/stop");
  const next = await openBusy({ data });
  await commitStep(next.store, { step: "recover", owner: "next" });
  await next.lanes.close();
  await next.inbound.resume();
  await next.ports.clock.advance(6_000);
  expect(next.heard()).toEqual(["Nothing is running. 1 message still waits and will be answered."]);
});
