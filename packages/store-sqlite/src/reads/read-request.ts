import type { StoreReads } from "@banyan/store";

/** One read as plain data: it crosses to the worker in its place among the steps. */
export type ReadRequest = {
  [Name in keyof StoreReads]: { readonly read: Name; readonly args: Parameters<StoreReads[Name]> };
}[keyof StoreReads];

/** The reads of one connection, answered at once. Each is told the time last, as the store's clock has it. */
export type SqliteReads = {
  [Name in keyof StoreReads]: (
    ...args: [...Parameters<StoreReads[Name]>, nowMs: number]
  ) => Awaited<ReturnType<StoreReads[Name]>>;
};

export function runRead(reads: SqliteReads, request: ReadRequest, nowMs: number): unknown {
  switch (request.read) {
    case "session":
      return reads.session(...request.args, nowMs);
    case "sessionById":
      return reads.sessionById(...request.args, nowMs);
    case "sessionByFile":
      return reads.sessionByFile(...request.args, nowMs);
    case "sessions":
      return reads.sessions(...request.args, nowMs);
    case "entries":
      return reads.entries(...request.args, nowMs);
    case "entriesOfItem":
      return reads.entriesOfItem(...request.args, nowMs);
    case "lane":
      return reads.lane(...request.args, nowMs);
    case "item":
      return reads.item(...request.args, nowMs);
    case "itemByDedupe":
      return reads.itemByDedupe(...request.args, nowMs);
    case "openItems":
      return reads.openItems(...request.args, nowMs);
    case "readyLanes":
      return reads.readyLanes(...request.args, nowMs);
    case "waitingCommands":
      return reads.waitingCommands(...request.args, nowMs);
    case "deliveries":
      return reads.deliveries(...request.args, nowMs);
    case "delivery":
      return reads.delivery(...request.args, nowMs);
    case "claimant":
      return reads.claimant(...request.args, nowMs);
    case "receipts":
      return reads.receipts(...request.args, nowMs);
    case "history":
      return reads.history(...request.args, nowMs);
    case "cursor":
      return reads.cursor(...request.args, nowMs);
    case "writers":
      return reads.writers(...request.args, nowMs);
    case "dayUsed":
      return reads.dayUsed(...request.args, nowMs);
    case "counts":
      return reads.counts(nowMs);
    case "routes":
      return reads.routes(nowMs);
    case "pairings":
      return reads.pairings(...request.args, nowMs);
    case "linkDesk":
      return reads.linkDesk(...request.args, nowMs);
    case "audit":
      return reads.audit(...request.args, nowMs);
    default:
      return runRunRead(reads, request, nowMs);
  }
}

type RunRead = "run" | "runByDedupe" | "runs" | "unfinishedRuns" | "timers" | "bindings";

function runRunRead(reads: SqliteReads, request: Extract<ReadRequest, { read: RunRead }>, nowMs: number): unknown {
  switch (request.read) {
    case "run":
      return reads.run(...request.args, nowMs);
    case "runByDedupe":
      return reads.runByDedupe(...request.args, nowMs);
    case "runs":
      return reads.runs(...request.args, nowMs);
    case "unfinishedRuns":
      return reads.unfinishedRuns(...request.args, nowMs);
    case "timers":
      return reads.timers(...request.args, nowMs);
    case "bindings":
      return reads.bindings(...request.args, nowMs);
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
    item: (...args) => answer({ read: "item", args }),
    itemByDedupe: (...args) => answer({ read: "itemByDedupe", args }),
    openItems: (...args) => answer({ read: "openItems", args }),
    run: (...args) => answer({ read: "run", args }),
    runByDedupe: (...args) => answer({ read: "runByDedupe", args }),
    runs: (...args) => answer({ read: "runs", args }),
    unfinishedRuns: (...args) => answer({ read: "unfinishedRuns", args }),
    timers: (...args) => answer({ read: "timers", args }),
    bindings: (...args) => answer({ read: "bindings", args }),
    readyLanes: (...args) => answer({ read: "readyLanes", args }),
    waitingCommands: (...args) => answer({ read: "waitingCommands", args }),
    deliveries: (...args) => answer({ read: "deliveries", args }),
    delivery: (...args) => answer({ read: "delivery", args }),
    claimant: (...args) => answer({ read: "claimant", args }),
    receipts: (...args) => answer({ read: "receipts", args }),
    history: (...args) => answer({ read: "history", args }),
    cursor: (...args) => answer({ read: "cursor", args }),
    writers: (...args) => answer({ read: "writers", args }),
    dayUsed: (...args) => answer({ read: "dayUsed", args }),
    routes: () => answer({ read: "routes", args: [] }),
    pairings: (...args) => answer({ read: "pairings", args }),
    linkDesk: (...args) => answer({ read: "linkDesk", args }),
    audit: (...args) => answer({ read: "audit", args }),
    counts: () => answer({ read: "counts", args: [] }),
  };
}
