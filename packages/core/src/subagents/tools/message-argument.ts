import { z } from "zod";

/** As long as a task may be. */
const MESSAGE_LIMIT_CHARS = 100_000;

export const messageArgument: z.ZodString = z
  .string()
  .max(MESSAGE_LIMIT_CHARS)
  .refine((message) => message.trim() !== "", { error: "must not be blank" });
