export const THREAD_NAMES = ["label", "task"] as const;
/** What a thread is named by; a child without a label is named by its task. */
export type ThreadNameSource = (typeof THREAD_NAMES)[number];
