import { expect, test } from "vitest";
import { AgentDesk } from "./desk/agent-desk.ts";

test("an agent answers in pieces, and what it does between them parts its words", async () => {
  const desk = new AgentDesk();
  expect(await desk.says("say Let me| look.;work reading;say Done.")).toEqual({
    text: "Let me look.\n\nDone.",
    end: "done",
  });
});
