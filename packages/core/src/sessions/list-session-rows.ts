import type { SessionRow, StoreReads } from "@banyan/store";

const PAGE_SESSIONS = 1_000;

/** Every session that is not put away, by key, page by page: there may be more than memory should hold. */
export async function* listSessionRows(read: Pick<StoreReads, "sessions">): AsyncGenerator<SessionRow> {
  for (let afterKey: string | undefined; ; ) {
    const query = { limit: PAGE_SESSIONS, ...(afterKey === undefined ? {} : { afterKey }) };
    const page: readonly SessionRow[] = await read.sessions(query);
    for (const row of page) {
      afterKey = row.key;
      yield row;
    }
    if (page.length < PAGE_SESSIONS) return;
  }
}
