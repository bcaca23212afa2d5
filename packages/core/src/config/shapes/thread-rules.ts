import type { ThreadsConfig } from "../config.ts";
import type { ThreadFallback, ThreadNameSource } from "./thread-choice.ts";

const HOUR_MS = 60 * 60_000;

export const DEFAULT_THREADS: ThreadsConfig = {
  enabled: true,
  idleHours: 24,
  maxAgeHours: "off",
  fallback: "reply",
  nameFrom: "label",
};

export interface ThreadRules {
  readonly isEnabled: boolean;
  /** A thread that nobody has written in for this long is archived. Absent: never. */
  readonly idleMs?: number;
  /** Absent: however old. */
  readonly maxAgeMs?: number;
  readonly fallback: ThreadFallback;
  readonly nameFrom: ThreadNameSource;
}

/** The rules of threads with every default filled in. */
export function getThreadRules(threads: Partial<ThreadsConfig> | undefined): ThreadRules {
  const { enabled, idleHours, maxAgeHours, ...rest } = { ...DEFAULT_THREADS, ...threads };
  return {
    isEnabled: enabled,
    ...(idleHours !== "off" && { idleMs: idleHours * HOUR_MS }),
    ...(maxAgeHours !== "off" && { maxAgeMs: maxAgeHours * HOUR_MS }),
    ...rest,
  };
}
