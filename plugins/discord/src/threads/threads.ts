import type { ThreadsAbility } from "@banyan/plugin-sdk";
import { createThreadCloser } from "./thread-closing.ts";
import { createThreadOpener, type ThreadOpenerOptions } from "./thread-opening.ts";
import { createThreadSearch } from "./thread-search.ts";

/** Threads for sub-agents in the channels of servers. */
export function createThreads(
  options: Omit<ThreadOpenerOptions, "search"> & { readonly botId: string },
): ThreadsAbility {
  const search = createThreadSearch(options);
  return { ...createThreadOpener({ ...options, search }), ...createThreadCloser({ ...options, search }) };
}
