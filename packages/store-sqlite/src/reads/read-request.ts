import type { StoreReads } from "@banyan/plugin-sdk/store";

/** One read as plain data: it crosses to the worker in its place among the steps. */
export type ReadRequest = {
  [Name in keyof StoreReads]: { readonly read: Name; readonly args: Parameters<StoreReads[Name]> };
}[keyof StoreReads];

/** The reads of one connection, answered at once. */
export type SqliteReads = {
  [Name in keyof StoreReads]: (...args: Parameters<StoreReads[Name]>) => Awaited<ReturnType<StoreReads[Name]>>;
};

export function runRead(reads: SqliteReads, request: ReadRequest): unknown {
  switch (request.read) {
    case "session":
      return reads.session(...request.args);
    case "sessionById":
      return reads.sessionById(...request.args);
    case "sessionByFile":
      return reads.sessionByFile(...request.args);
    case "sessions":
      return reads.sessions(...request.args);
    case "entries":
      return reads.entries(...request.args);
    case "entriesOfItem":
      return reads.entriesOfItem(...request.args);
    case "lane":
      return reads.lane(...request.args);
    case "readyLanes":
      return reads.readyLanes(...request.args);
    case "waitingCommands":
      return reads.waitingCommands(...request.args);
    case "deliveries":
      return reads.deliveries(...request.args);
    case "delivery":
      return reads.delivery(...request.args);
    case "history":
      return reads.history(...request.args);
    case "cursor":
      return reads.cursor(...request.args);
    case "writers":
      return reads.writers(...request.args);
    case "counts":
      return reads.counts();
  }
}

/** The port's reads over something that answers one request. */
export function createStoreReads(answer: <T>(request: ReadRequest) => Promise<T>): StoreReads {
  return {
    session: (...args) => answer({ read: "session", args }),
    sessionById: (...args) => answer({ read: "sessionById", args }),
    sessionByFile: (...args) => answer({ read: "sessionByFile", args }),
    sessions: (...args) => answer({ read: "sessions", args }),
    entries: (...args) => answer({ read: "entries", args }),
    entriesOfItem: (...args) => answer({ read: "entriesOfItem", args }),
    lane: (...args) => answer({ read: "lane", args }),
    readyLanes: (...args) => answer({ read: "readyLanes", args }),
    waitingCommands: (...args) => answer({ read: "waitingCommands", args }),
    deliveries: (...args) => answer({ read: "deliveries", args }),
    delivery: (...args) => answer({ read: "delivery", args }),
    history: (...args) => answer({ read: "history", args }),
    cursor: (...args) => answer({ read: "cursor", args }),
    writers: (...args) => answer({ read: "writers", args }),
    counts: () => answer({ read: "counts", args: [] }),
  };
}
