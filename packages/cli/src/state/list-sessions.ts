import type { SessionEntry } from "@banyan/plugin-sdk";
import type { SessionRow, StoreReads } from "@banyan/store";

const PAGE_ROWS = 1_000;

/** Every session by key, in pages. */
export async function* iterateSessions(read: StoreReads, agentId?: string): AsyncGenerator<SessionRow> {
  for (let afterKey: string | undefined; ; ) {
    const page = await read.sessions({
      limit: PAGE_ROWS,
      ...(agentId === undefined ? {} : { agentId }),
      ...(afterKey === undefined ? {} : { afterKey }),
    });
    yield* page;
    if (page.length < PAGE_ROWS) return;
    afterKey = page.at(-1)?.key;
  }
}

/** The sessions that changed last, the newest first, and how many there are in all. */
export async function listNewestSessions(
  read: StoreReads,
  query: { readonly agentId?: string | undefined; readonly limit: number },
): Promise<{ readonly rows: readonly SessionRow[]; readonly total: number }> {
  let rows: SessionRow[] = [];
  let total = 0;
  const keepNewest = () => {
    rows = rows.sort((one, other) => other.updatedAtMs - one.updatedAtMs).slice(0, query.limit);
  };
  for await (const row of iterateSessions(read, query.agentId)) {
    rows.push(row);
    total += 1;
    // Cut as we go: a hundred thousand records are not held at once.
    if (rows.length >= query.limit + PAGE_ROWS) keepNewest();
  }
  keepNewest();
  return { rows, total };
}

/** A stored record. It is the core's own writing, so it is not judged again. */
export function parseEntry(row: Pick<SessionRow, "body">): SessionEntry {
  return JSON.parse(row.body);
}
