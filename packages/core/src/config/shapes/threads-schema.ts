import { z } from "zod";
import type { ThreadsConfig } from "../config.ts";
import type { ThreadsInput } from "./define-config.ts";
import { THREAD_FALLBACKS, THREAD_NAMES } from "./thread-choice.ts";
import { DEFAULT_THREADS } from "./thread-rules.ts";

const LONGEST_THREAD_HOURS = 8_784;

const hours = z.union([z.number().min(1).max(LONGEST_THREAD_HOURS), z.literal("off")]);

export const threadsSchema: z.ZodType<ThreadsConfig, ThreadsInput> = z.strictObject({
  enabled: z.boolean().default(DEFAULT_THREADS.enabled).describe("Sub-agents can get threads."),
  idleHours: hours.default(DEFAULT_THREADS.idleHours).describe("A thread without messages for this long is archived."),
  maxAgeHours: hours.default(DEFAULT_THREADS.maxAgeHours).describe("A thread that is older than this is archived."),
  fallback: z
    .enum(THREAD_FALLBACKS)
    .default(DEFAULT_THREADS.fallback)
    .describe(
      "Where a chat has no threads. `reply`: the sub-agent lives in the replies to a message, where the channel supports that. `refuse`: the spawn is refused. It also decides about messages for a thread that is gone: they go to the chat that the thread was in, or with `refuse` nowhere, and that chat is notified.",
    ),
  nameFrom: z
    .enum(THREAD_NAMES)
    .default(DEFAULT_THREADS.nameFrom)
    .describe("What names a thread. A sub-agent without a label is named by its task."),
});

/** Without defaults: an account's own value stands over the one of all. */
export const accountThreadsSchema: z.ZodType<ThreadsInput, ThreadsInput> = z.strictObject({
  enabled: z.boolean().optional(),
  idleHours: hours.optional(),
  maxAgeHours: hours.optional(),
  fallback: z.enum(THREAD_FALLBACKS).optional(),
  nameFrom: z.enum(THREAD_NAMES).optional(),
});
