import type { PairingRow } from "@banyan/store";
import { PAIRING_STATES } from "../database/code.ts";
import { type Row, readName, readNumber, readOptionalText, readText } from "../database/column.ts";

export const PAIRING_COLUMNS =
  "id, channel, account, sender_id, display_name, code, state, address, created_at, expires_at";

export function readPairingRow(row: Row): PairingRow {
  const displayName = readOptionalText(row.display_name ?? null);
  return {
    channel: readText(row.channel),
    account: readText(row.account),
    senderId: readText(row.sender_id),
    ...(displayName === undefined ? {} : { displayName }),
    code: readText(row.code),
    state: readName(PAIRING_STATES, row.state),
    address: readText(row.address),
    createdAtMs: readNumber(row.created_at),
    expiresAtMs: readNumber(row.expires_at),
  };
}
