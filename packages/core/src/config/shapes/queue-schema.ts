import { z } from "zod";
import type { QueueInput } from "./define-config.ts";
import { RESUME_PLACES } from "./interrupt-setting.ts";
import { DROP_POLICIES, QUEUE_MODES, type QueueConfig } from "./queue-config.ts";
import { THINKING_LEVELS } from "./thinking-level.ts";

/** Longer looks like no answer. */
const LONGEST_DEBOUNCE_MS = 60_000;
const LARGEST_QUEUE = 1_000;

const setting = {
  mode: z
    .enum(QUEUE_MODES)
    .optional()
    .describe(
      "What a new message does while a turn runs. Default: `steer` if the agent supports it, otherwise `followup`.",
    ),
  debounceMs: z
    .int()
    .min(0)
    .max(LONGEST_DEBOUNCE_MS)
    .optional()
    .describe("How long Banyan waits for further messages while a turn runs. An idle conversation starts at once."),
  cap: z.int().min(1).max(LARGEST_QUEUE).optional().describe("Messages of one conversation that may wait."),
  drop: z
    .enum(DROP_POLICIES)
    .optional()
    .describe(
      "What happens above `cap`. `summarize`: the agent gets the oldest messages in short. `old`: the oldest are left out. `new`: the newest is refused.",
    ),
  interrupt: z
    .strictObject({
      resume: z
        .enum(RESUME_PLACES)
        .optional()
        .describe(
          "Where the agent continues. `here`: from what the stopped turn said and did. `checkpoint`: from the end of the last completed turn.",
        ),
      model: z
        .string()
        .trim()
        .min(1)
        .optional()
        .describe("Model of the next turn only, as `provider/model`. Default: the agent's model."),
      thinking: z
        .enum(THINKING_LEVELS)
        .optional()
        .describe("Thinking level of the next turn only. Default: the agent's level."),
    })
    .optional()
    .describe("How the agent continues after mode `interrupt` has stopped a turn."),
};

export const queueSchema: z.ZodType<QueueConfig, QueueInput> = z.strictObject({
  ...setting,
  byChannel: z.record(z.string(), z.strictObject(setting)).default({}).describe("Values for one channel."),
});
