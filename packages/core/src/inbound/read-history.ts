import type { HistoryMessage, HistoryRequest } from "@banyan/plugin-sdk";
import type { DeliveryBody, HistoryRow, Store } from "@banyan/store";
import { parseItemBody } from "../lanes/item-body.ts";

const DEFAULT_LIMIT = 200;
const MOST_MESSAGES = 1_000;

/** What was received and delivered at an address, for channels that keep no history of their own. */
export async function readHistory(store: Store, request: HistoryRequest): Promise<readonly HistoryMessage[]> {
  const { address, after, limit = DEFAULT_LIMIT } = request;
  const rows = await store.read.history({
    address,
    limit: Math.min(Math.max(1, limit), MOST_MESSAGES),
    ...(after === undefined ? {} : { afterId: after }),
  });
  if (rows === undefined)
    throw new RangeError(`The history of ${address} was read: no message there has the id ${JSON.stringify(after)}`);
  return rows.flatMap((row) => toMessage(row) ?? []);
}

function toMessage(row: HistoryRow): HistoryMessage | undefined {
  if (row.source === "item") {
    const { text, isFollowUp } = parseItemBody(row.body);
    return isFollowUp ? undefined : { id: row.id, role: "user", kind: "message", text, at: row.atMs };
  }
  const body: DeliveryBody = JSON.parse(row.body);
  const kind =
    row.kind === "reply" || row.kind === "notice" || row.kind === "command" || row.kind === "completion"
      ? row.kind
      : "notice";
  return { id: row.id, role: "assistant", kind, text: body.text, at: row.atMs };
}
