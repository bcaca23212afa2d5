import type { AgentRuntime } from "@banyan/plugin-sdk";
import { createRunHandle, createSingleRunSession } from "@banyan/plugin-sdk/runtime";
import { createEchoRuntime } from "@banyan/runtime-demo";

/** Answers like `echo`, but not before it is let go on: a child that takes its time. */
export function createHeldRuntime(released: Promise<void>): AgentRuntime {
  return {
    ...createEchoRuntime(),
    id: "held",
    open: async (_spec, { log }) =>
      createSingleRunSession((input) =>
        createRunHandle(
          input,
          async (turn) => {
            await turn.waitFor(released);
            await turn.say(input.input.map(({ text }) => text).join("\n"));
            return { reason: "done" };
          },
          { log },
        ),
      ),
  };
}
