import { z } from "zod";

/** No key is longer. */
const KEY_LIMIT_CHARS = 1_000;

export const sessionKeyArgument: z.ZodString = z.string().trim().min(1).max(KEY_LIMIT_CHARS);
