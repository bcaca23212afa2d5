import type { ExpectedWriters, WriterRow } from "@banyan/plugin-sdk/store";
import { pairKey, type Tables } from "./tables.ts";

/** Whether the sessions have the writers that a step was decided by, no more and no fewer. */
export function standsWritten({ writers }: Tables, expected: ExpectedWriters | undefined): boolean {
  if (expected === undefined) return true;
  const present = [...new Set(expected.sessionKeys)].flatMap((key) => writers.get(key) ?? []);
  const judged = new Set(expected.writers.map(formatWriter));
  return present.length === judged.size && present.every((writer) => judged.has(formatWriter(writer)));
}

function formatWriter({ sessionKey, channel, peer }: WriterRow): string {
  return pairKey(pairKey(sessionKey, channel), peer);
}
