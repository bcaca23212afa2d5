import { expect, it } from "vitest";
import { ADA, TreeDesk } from "../subagents/tree-desk.ts";

it("a conversation that was moved unseen, on a disk that is full then, is moved and served", async () => {
  const faults = ["commit_unknown", "full"] as const;
  let next = 0;
  const desk = await new TreeDesk({
    fault(step, when) {
      const fault = step.step === "rekey" ? faults[next] : undefined;
      if (fault === undefined || (fault === "full") !== (when === "before")) return "none";
      next += 1;
      return fault;
    },
  }).start();
  await desk.says("hello");
  const to = "agent:main:dm:before";
  const moved = desk.gateway.operations["sessions-rekey"]?.({ from: ADA, to, acceptShared: true });
  const end = expect(moved).resolves.toMatchObject({ from: ADA, to });
  await desk.rest();
  await desk.ports.clock.advance(1_000);
  await end;
  expect(next).toBe(2);
  expect(await desk.lines(to)).toEqual(["user: hello", "assistant: re: hello"]);
});
