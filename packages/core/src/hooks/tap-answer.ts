import type { SendingAnswer, ToolResult, TurnAdditions } from "@banyan/plugin-sdk";
import { z } from "zod";

/** What taps may answer, judged where it comes in: a plugin may be written without types. Each throws for anything else. */
const sendingAnswer: z.ZodType<SendingAnswer> = z.union([
  z.object({ text: z.string() }),
  z.object({ cancel: z.string() }),
]);
const turnAdditions: z.ZodType<TurnAdditions> = z.object({
  context: z.array(z.object({ label: z.string(), text: z.string() })),
});
const toolResult: z.ZodType<ToolResult> = z.object({ text: z.string(), isError: z.boolean().default(false) });

export function parseSendingAnswer(answer: unknown): SendingAnswer {
  return sendingAnswer.parse(answer);
}

export function parseTurnAdditions(answer: unknown): TurnAdditions {
  return turnAdditions.parse(answer);
}

export function parseToolResult(answer: unknown): ToolResult {
  return toolResult.parse(answer);
}
