export const THREAD_NAMES = ["label", "task"] as const;
/** What a thread is named by; a child without a label is named by its task. */
export type ThreadNameSource = (typeof THREAD_NAMES)[number];

export const THREAD_FALLBACKS = ["reply", "refuse"] as const;
/** Where no thread can be opened: the child lives in the replies to a message of its own, or the spawn is refused. */
export type ThreadFallback = (typeof THREAD_FALLBACKS)[number];
