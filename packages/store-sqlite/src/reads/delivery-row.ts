import type { DeliveryRow } from "@banyan/store";
import { DELIVERY_KINDS, DELIVERY_POLICIES, DELIVERY_STATES } from "../database/code.ts";
import { type Row, readName, readNumber, readOptional, readOptionalText, readText } from "../database/column.ts";

export const DELIVERY_COLUMNS = `pos, id, delivery_id, part, parts, kind, channel, account, address, chat, session_key,
  policy, state, attempts, maybe_repeated, owner, next_at, platform_id, error, created_at, body, run_id,
  claims, anchor_id`;

export function readDeliveryRow(row: Row): DeliveryRow {
  const sessionKey = readOptionalText(row.session_key ?? null);
  const owner = readOptionalText(row.owner ?? null);
  const platformId = readOptionalText(row.platform_id ?? null);
  const error = readOptionalText(row.error ?? null);
  return {
    id: readText(row.id),
    deliveryId: readText(row.delivery_id),
    part: readNumber(row.part),
    of: readNumber(row.parts),
    kind: readName(DELIVERY_KINDS, row.kind),
    channel: readText(row.channel),
    account: readText(row.account),
    address: readText(row.address),
    chat: readText(row.chat),
    ...(sessionKey === undefined ? {} : { sessionKey }),
    policy: readName(DELIVERY_POLICIES, row.policy),
    state: readName(DELIVERY_STATES, row.state),
    attempts: readNumber(row.attempts),
    maybeRepeated: readNumber(row.maybe_repeated) === 1,
    ...(owner === undefined ? {} : { owner }),
    nextAtMs: readNumber(row.next_at),
    ...(platformId === undefined ? {} : { platformId }),
    ...(error === undefined ? {} : { error }),
    createdAtMs: readNumber(row.created_at),
    pos: readNumber(row.pos),
    body: readText(row.body),
    ...readOptional("runId", row.run_id, readText),
    ...readOptional("claims", row.claims, readText),
    ...readOptional("anchorId", row.anchor_id, readText),
  };
}
