import type { DeliveryBody, DeliveryRow, DeliveryState, StoreReads } from "@banyan/store";

const PAGE_ROWS = 1_000;
/** Still on their way: what the gateway goes on trying by itself. */
const UNSETTLED_STATES: readonly DeliveryState[] = ["pending", "sending", "stuck"];

/** What somebody may want to do something about. */
export const OPEN_STATES: readonly DeliveryState[] = [...UNSETTLED_STATES, "unknown"];
export const DELIVERY_STATES: readonly DeliveryState[] = [
  ...OPEN_STATES,
  "undeliverable",
  "sent",
  "sent_maybe_repeated",
];

/** Deliveries in these states, in the order of the outbox, in pages. */
export async function* iterateDeliveries(
  read: StoreReads,
  query: { readonly states: readonly DeliveryState[]; readonly channel?: string | undefined },
): AsyncGenerator<DeliveryRow> {
  const channel = query.channel === undefined ? {} : { channel: query.channel };
  for (let afterPos = 0; ; ) {
    const page = await read.deliveries({ states: query.states, afterPos, limit: PAGE_ROWS, ...channel });
    yield* page;
    if (page.length < PAGE_ROWS) return;
    afterPos = page.at(-1)?.pos ?? afterPos;
  }
}

/** Messages on their way, by account (`telegram/default`). */
export async function countUndelivered(read: StoreReads): Promise<Readonly<Record<string, number>>> {
  const counts = new Map<string, number>();
  for await (const row of iterateDeliveries(read, { states: UNSETTLED_STATES })) {
    const name = `${row.channel}/${row.account}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return Object.fromEntries(counts);
}

/** What was sent, or is to be, to tell a chat of a run; the oldest first. */
export async function listRunDeliveries(read: StoreReads, runId: string): Promise<readonly DeliveryRow[]> {
  const rows: DeliveryRow[] = [];
  for await (const row of iterateDeliveries(read, { states: DELIVERY_STATES })) {
    if (row.kind === "completion" && tellsOf(row, runId)) rows.push(row);
  }
  return rows;
}

/** One message may tell of several runs. */
function tellsOf(row: DeliveryRow, runId: string): boolean {
  if (row.runId === runId) return true;
  const { announcement }: DeliveryBody = JSON.parse(row.body);
  return announcement?.alsoRunIds.includes(runId) ?? false;
}
