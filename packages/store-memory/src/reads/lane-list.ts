import type { ItemRow, StoreReads } from "@banyan/plugin-sdk/store";
import type { Tables } from "../tables/tables.ts";

type ReadyQuery = Parameters<StoreReads["readyLanes"]>[0];
type OpenQuery = Parameters<StoreReads["openItems"]>[0];
type CommandQuery = Parameters<StoreReads["waitingCommands"]>[0];

export function listReadyLanes(
  tables: Tables,
  { limit, afterSeq = 0 }: ReadyQuery,
): readonly { lane: string; firstSeq: number }[] {
  return [...tables.readyLanes]
    .map(({ lane, queue }) => ({ lane, firstSeq: queue[0] ?? 0 }))
    .filter(({ firstSeq }) => firstSeq > afterSeq)
    .sort((a, b) => a.firstSeq - b.firstSeq)
    .slice(0, limit);
}

export function listOpenItems(tables: Tables, { lane, kinds, limit }: OpenQuery): readonly ItemRow[] {
  const { queue = [], active = [], held = [] } = tables.lanes.get(lane) ?? {};
  return [...queue, ...active, ...held]
    .sort((a, b) => a - b)
    .flatMap((seq) => tables.items.get(seq)?.row ?? [])
    .filter(({ kind }) => kinds === undefined || kinds.includes(kind))
    .slice(0, limit);
}

export function listWaitingCommands(tables: Tables, { limit, afterSeq = 0 }: CommandQuery): readonly ItemRow[] {
  return [...tables.waitingCommands]
    .filter((seq) => seq > afterSeq)
    .sort((a, b) => a - b)
    .slice(0, limit)
    .flatMap((seq) => tables.items.get(seq)?.row ?? []);
}
