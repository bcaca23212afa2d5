import { z } from "zod";
import { defineTool } from "../../tools/definition.ts";
import type { Tool } from "../../tools/tool.ts";
import { formatToolAnswer } from "./tool-answer.ts";

const MESSAGE_LIMIT_CHARS = 100_000;

interface YieldArgs {
  readonly message?: string | undefined;
}

const args: z.ZodType<YieldArgs> = z.strictObject({
  message: z
    .string()
    .max(MESSAGE_LIMIT_CHARS)
    .optional()
    .describe("The turn's answer; default: what you have said in it so far, or nothing."),
});

/** `sessions_yield`: the turn ends with this call. */
export function createSessionsYieldTool(): Tool {
  return defineTool({
    name: "sessions_yield",
    description:
      "Ends your turn at once; nothing you say after it is received. Use it when there is nothing to do until your " +
      "sub-agents are done: what they finish wakes you by itself.",
    args,
    isRepeatable: true,
    run: async ({ message }) => ({
      ...formatToolAnswer({ status: "yielded" }),
      endsTurn: message === undefined || message.trim() === "" ? {} : { text: message },
    }),
  });
}
