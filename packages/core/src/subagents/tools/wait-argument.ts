import { z } from "zod";

export const LONGEST_WAIT_SECONDS = 3_600;
/** Behind the longest wait: the tool answers by itself before its time is over. */
const MARGIN_MS = 60_000;

export const timeoutSecondsArgument: z.ZodNumber = z.int().min(0).max(LONGEST_WAIT_SECONDS);
/** Of a tool that waits as long as its arguments say. */
export const WAITING_TOOL_TIMEOUT_MS: number = LONGEST_WAIT_SECONDS * 1_000 + MARGIN_MS;
