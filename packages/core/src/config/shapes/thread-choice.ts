export const THREAD_FALLBACKS = ["reply", "refuse"] as const;
/** Where a chat has no threads: the child lives in the reply chain of its first message, or is refused. */
export type ThreadFallback = (typeof THREAD_FALLBACKS)[number];

export const THREAD_NAMES = ["label", "task"] as const;
/** What a thread is named by; a child without a label is named by its task. */
export type ThreadNameSource = (typeof THREAD_NAMES)[number];
