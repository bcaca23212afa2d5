import type { ThreadsAbility } from "@banyan/plugin-sdk";
import { ThreadCloser } from "./thread-closer.ts";
import { ThreadOpener, type ThreadOpenerOptions } from "./thread-opener.ts";
import { createThreadSearch } from "./thread-search.ts";

/** Threads for sub-agents in the channels of servers. */
export function createThreads(
  options: Omit<ThreadOpenerOptions, "search"> & { readonly botId: string },
): ThreadsAbility {
  const search = createThreadSearch(options);
  const opener = new ThreadOpener({ ...options, search });
  const closer = new ThreadCloser({ ...options, search });
  return {
    open: (opening) => opener.open(opening),
    withdraw: (opening) => closer.withdraw(opening),
    archive: (closing) => closer.archive(closing),
    rename: (naming) => closer.rename(naming),
    probe: (address) => closer.probe(address),
  };
}
