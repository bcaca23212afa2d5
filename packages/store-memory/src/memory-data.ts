import { createTables, type Tables } from "./tables/tables.ts";

/** What a memory store keeps, owned by the caller, so that a second store can go on where the first one was closed. */
export type MemoryData = Tables;

export function createMemoryData(): MemoryData {
  return createTables();
}
