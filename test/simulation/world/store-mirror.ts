import type { DeliveryRow, DeliveryState, ItemRow, SessionRow } from "@banyan/store";
import type { InlineDatabase } from "@banyan/store-sqlite/inline";
import {
  type Row,
  readNumber,
  readOptionalText,
  readText,
} from "../../../packages/store-sqlite/src/database/column.ts";
import { DELIVERY_COLUMNS, readDeliveryRow } from "../../../packages/store-sqlite/src/reads/delivery-row.ts";
import { ITEM_COLUMNS, ITEM_SOURCE, readItemRow } from "../../../packages/store-sqlite/src/reads/item-row.ts";
import { readSessionRow, SESSION_COLUMNS } from "../../../packages/store-sqlite/src/reads/session-row.ts";
import { type Key, RowNotes } from "./row-notes.ts";
import { RunMirror } from "./run-mirror.ts";
import { SeldomRows } from "./seldom-rows.ts";

export interface LaneView {
  readonly lane: string;
  readonly epoch: number;
  readonly owner: string | undefined;
  /** What waits, commands included, in the order of `seq`. */
  readonly queue: readonly number[];
  readonly active: readonly number[];
  readonly held: readonly number[];
}

class LaneMirror implements LaneView {
  readonly lane: string;
  epoch = 0;
  owner: string | undefined;
  claimSeq: number | undefined;
  queue: number[] = [];
  held: number[] = [];
  constructor(lane: string) {
    this.lane = lane;
  }
  get active(): readonly number[] {
    return this.owner === undefined || this.claimSeq === undefined ? [] : [this.claimSeq];
  }
}

interface StoredItem {
  readonly row: ItemRow;
  readonly dedupe: string;
}
interface StoredDelivery {
  readonly row: DeliveryRow;
}

/**
 * What a world and its invariants look at synchronously: a picture of the rows, brought up to date with the few that a
 * step has changed. An object of a row stays the same one until its row is written again.
 */
export class StoreMirror {
  readonly runs: RunMirror;
  readonly seldom: SeldomRows;
  readonly #notes: Readonly<Record<"sessions" | "items" | "lanes" | "deliveries", RowNotes>>;
  readonly #sessionById = new Map<Key, SessionRow>();
  readonly #sessions = new Map<string, SessionRow>();
  readonly #archivedKeys = new Set<string>();
  readonly #items = new Map<number, StoredItem>();
  readonly #waitingCommands = new Set<number>();
  #waitingItems = 0;
  readonly #laneById = new Map<Key, LaneMirror>();
  readonly #lanes = new Map<string, LaneMirror>();
  readonly #readyLanes = new Set<LaneMirror>();
  readonly #ownedLanes = new Set<LaneMirror>();
  readonly #deliveryByPos = new Map<Key, string>();
  readonly #deliveries = new Map<string, StoredDelivery>();
  readonly #unsettled = new Map<DeliveryState, Set<string>>([
    ["pending", new Set()],
    ["sending", new Set()],
    ["stuck", new Set()],
  ]);
  #lastPos = 0;

  constructor(data: InlineDatabase) {
    this.runs = new RunMirror(data);
    this.seldom = new SeldomRows(data);
    const items = { name: "items", key: "seq", columns: `${ITEM_COLUMNS}, dedupe`, source: ITEM_SOURCE };
    const lanes = { name: "lanes", key: "id", columns: "lane, epoch, owner, claim_seq, ready_seq" };
    const deliveries = { name: "deliveries", key: "pos", columns: DELIVERY_COLUMNS };
    this.#notes = {
      sessions: new RowNotes(data, { name: "sessions", key: "id", columns: SESSION_COLUMNS }, (id, row) =>
        this.#takeSession(id, row && readSessionRow(row)),
      ),
      items: new RowNotes(data, items, (seq, row) => this.#takeItem(Number(seq), row)),
      lanes: new RowNotes(data, lanes, (id, row) => this.#takeLane(id, row)),
      deliveries: new RowNotes(data, deliveries, (pos, row) => this.#takeDelivery(pos, row && readDeliveryRow(row))),
    };
  }

  /** The last `seq` or `pos` that was given. */
  get lastPos(): number {
    this.#notes.items.refresh();
    this.#notes.deliveries.refresh();
    return this.#lastPos;
  }
  get sessions(): ReadonlyMap<string, SessionRow> {
    this.#notes.sessions.refresh();
    return this.#sessions;
  }
  get archivedKeys(): ReadonlySet<string> {
    this.#notes.sessions.refresh();
    return this.#archivedKeys;
  }
  get items(): ReadonlyMap<number, StoredItem> {
    this.#refreshItems();
    return this.#items;
  }
  get waitingItems(): number {
    this.#refreshItems();
    return this.#waitingItems;
  }
  get waitingCommands(): ReadonlySet<number> {
    this.#refreshItems();
    return this.#waitingCommands;
  }
  get lanes(): ReadonlyMap<string, LaneView> {
    this.#refreshItems();
    return this.#lanes;
  }
  get readyLanes(): ReadonlySet<LaneView> {
    this.#notes.lanes.refresh();
    return this.#readyLanes;
  }
  get ownedLanes(): ReadonlySet<LaneView> {
    this.#notes.lanes.refresh();
    return this.#ownedLanes;
  }
  get deliveries(): ReadonlyMap<string, StoredDelivery> {
    this.#notes.deliveries.refresh();
    return this.#deliveries;
  }
  get unsettledDeliveries(): ReadonlyMap<DeliveryState, ReadonlySet<string>> {
    this.#notes.deliveries.refresh();
    return this.#unsettled;
  }

  /** After a `clear` of the database. */
  clear(): void {
    this.runs.clear();
    for (const notes of Object.values(this.#notes)) notes.clear();
    for (const map of [this.#sessionById, this.#sessions, this.#items, this.#laneById, this.#lanes]) map.clear();
    for (const map of [this.#deliveryByPos, this.#deliveries]) map.clear();
    for (const set of [this.#archivedKeys, this.#waitingCommands, ...this.#unsettled.values()]) set.clear();
    this.#readyLanes.clear();
    this.#ownedLanes.clear();
    this.#waitingItems = 0;
    this.#lastPos = 0;
  }

  #refreshItems(): void {
    this.#notes.lanes.refresh();
    this.#notes.items.refresh();
  }

  #takeSession(id: Key, row: SessionRow | undefined): void {
    const before = this.#sessionById.get(id);
    if (before !== undefined && before.key !== row?.key) {
      this.#sessions.delete(before.key);
      this.#archivedKeys.delete(before.key);
    }
    if (row === undefined) this.#sessionById.delete(id);
    else {
      this.#sessionById.set(id, row);
      this.#sessions.set(row.key, row);
      if (row.archivedAtMs === undefined) this.#archivedKeys.delete(row.key);
      else this.#archivedKeys.add(row.key);
    }
  }

  #takeItem(seq: number, found: Row | undefined): void {
    this.#lastPos = Math.max(this.#lastPos, seq);
    const row = found === undefined ? undefined : readItemRow(found);
    const before = this.#items.get(seq)?.row;
    if (before?.state === "waiting") {
      remove(this.#getLane(before.lane).queue, seq);
      if (!this.#waitingCommands.delete(seq)) this.#waitingItems -= 1;
    }
    if (before?.state === "held") remove(this.#getLane(before.lane).held, seq);
    if (row === undefined) {
      this.#items.delete(seq);
      return;
    }
    this.#items.set(seq, { row, dedupe: readText(found?.dedupe) });
    if (row.state === "held") insert(this.#getLane(row.lane).held, seq);
    if (row.state !== "waiting") return;
    insert(this.#getLane(row.lane).queue, seq);
    if (row.kind === "command") this.#waitingCommands.add(seq);
    else this.#waitingItems += 1;
  }

  #takeLane(id: Key, row: Row | undefined): void {
    if (row === undefined) {
      const gone = this.#laneById.get(id);
      if (gone === undefined) return;
      this.#laneById.delete(id);
      this.#lanes.delete(gone.lane);
      this.#readyLanes.delete(gone);
      this.#ownedLanes.delete(gone);
      return;
    }
    const lane = this.#getLane(readText(row.lane));
    this.#laneById.set(id, lane);
    lane.epoch = readNumber(row.epoch);
    lane.owner = readOptionalText(row.owner ?? null);
    lane.claimSeq = row.claim_seq === null ? undefined : readNumber(row.claim_seq);
    if (row.ready_seq === null) this.#readyLanes.delete(lane);
    else this.#readyLanes.add(lane);
    if (lane.owner === undefined) this.#ownedLanes.delete(lane);
    else this.#ownedLanes.add(lane);
  }

  #getLane(name: string): LaneMirror {
    const found = this.#lanes.get(name);
    if (found !== undefined) return found;
    const created = new LaneMirror(name);
    this.#lanes.set(name, created);
    return created;
  }

  #takeDelivery(pos: Key, row: DeliveryRow | undefined): void {
    this.#lastPos = Math.max(this.#lastPos, Number(pos));
    const id = this.#deliveryByPos.get(pos);
    const before = this.#deliveries.get(id ?? "")?.row;
    if (before !== undefined) this.#unsettled.get(before.state)?.delete(before.id);
    if (row === undefined) {
      this.#deliveryByPos.delete(pos);
      if (id !== undefined) this.#deliveries.delete(id);
      return;
    }
    this.#deliveryByPos.set(pos, row.id);
    this.#deliveries.set(row.id, { row });
    this.#unsettled.get(row.state)?.add(row.id);
  }
}

function insert(list: number[], seq: number): void {
  list.splice(list.findLastIndex((other) => other < seq) + 1, 0, seq);
}

function remove(list: number[], seq: number): void {
  const place = list.indexOf(seq);
  if (place >= 0) list.splice(place, 1);
}
