import type { DatabaseSync } from "node:sqlite";
import { createDeliveryReads } from "./delivery-reads.ts";
import { createHistoryReads } from "./history-reads.ts";
import { createLaneReads } from "./lane-reads.ts";
import type { SqliteReads } from "./read-request.ts";
import { createRouteReads } from "./route-reads.ts";
import { createRunReads } from "./run-reads.ts";
import { createSessionReads } from "./session-reads.ts";

/** The port's reads over one connection, with their statements kept. */
export function createReads(database: DatabaseSync): SqliteReads {
  return {
    ...createSessionReads(database),
    ...createLaneReads(database),
    ...createDeliveryReads(database),
    ...createHistoryReads(database),
    ...createRouteReads(database),
    ...createRunReads(database),
  };
}
