import type { ThreadsAbility } from "@banyan/plugin-sdk";
import { ThreadCloser } from "./thread-closer.ts";
import { ThreadOpener, type ThreadOpenerOptions } from "./thread-opener.ts";
import type { ReleaseThread } from "./thread-release.ts";
import { createThreadSearch } from "./thread-search.ts";

/** Threads for sub-agents in the channels of servers. */
export function createThreads(
  options: Omit<ThreadOpenerOptions, "search" | "inLine"> & { readonly botId: string; readonly release: ReleaseThread },
): ThreadsAbility {
  const search = createThreadSearch(options);
  let line: Promise<unknown> = Promise.resolve();
  function inLine<Value>(work: () => Promise<Value>): Promise<Value> {
    const done = line.then(work);
    line = done.catch(() => undefined);
    return done;
  }
  const opener = new ThreadOpener({ ...options, search, inLine });
  const closer = new ThreadCloser({ ...options, search, inLine });
  return {
    open: (opening) => opener.open(opening),
    withdraw: (opening) => closer.withdraw(opening),
    archive: (closing) => closer.archive(closing),
    rename: (naming) => closer.rename(naming),
    probe: (address) => closer.probe(address),
  };
}
