/** What the configuration says of an account's threads. Times in milliseconds; absent: never for that reason. */
export interface ThreadRules {
  readonly isEnabled: boolean;
  /** Whether a thread is called by its run's label, or always by how its task begins. */
  readonly nameFrom: "label" | "task";
  readonly idleMs?: number;
  readonly maxAgeMs?: number;
}

export const DEFAULT_THREAD_RULES: ThreadRules = { isEnabled: true, nameFrom: "label", idleMs: 24 * 3_600_000 };
