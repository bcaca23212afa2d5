import type { NewPairing, PairingRow, PairingState } from "@banyan/plugin-sdk/store";
import { pairKey, type Tables } from "./tables.ts";

export type Sender = Pick<PairingRow, "channel" | "account" | "senderId">;

/** One that is pending and has expired does not stand any more. */
export function findPairing(tables: Tables, sender: Sender, nowMs: number): PairingRow | undefined {
  const row = tables.routes.pairings.get(keyOf(sender));
  return row && stands(row, nowMs) ? row : undefined;
}

export function stands({ state, expiresAtMs }: PairingRow, nowMs: number): boolean {
  return state !== "pending" || expiresAtMs > nowMs;
}

export function listPending(tables: Tables, nowMs: number): readonly PairingRow[] {
  return [...tables.routes.pairings.values()].filter((row) => row.state === "pending" && row.expiresAtMs > nowMs);
}

/** `full`: the account has as many pending ones as it may. */
export function offerPairing(tables: Tables, offer: NewPairing, nowMs: number): "new" | "standing" | "full" {
  if (findPairing(tables, offer, nowMs)) return "standing";
  const { ttlMs, mostPending, ...rest } = offer;
  const ofAccount = listPending(tables, nowMs).filter(
    ({ channel, account }) => channel === offer.channel && account === offer.account,
  );
  if (ofAccount.length >= mostPending) return "full";
  const row: PairingRow = { ...rest, state: "pending", createdAtMs: nowMs, expiresAtMs: nowMs + ttlMs };
  tables.routes.pairings.delete(keyOf(offer));
  tables.routes.pairings.set(keyOf(offer), Object.freeze(row));
  return "new";
}

export function setPairingState(tables: Tables, row: PairingRow, state: PairingState): void {
  tables.routes.pairings.set(keyOf(row), Object.freeze({ ...row, state }));
  if (row.state === "approved" || state === "approved") tables.routes.revision += 1;
}

function keyOf({ channel, account, senderId }: Sender): string {
  return pairKey(pairKey(channel, account), senderId);
}
