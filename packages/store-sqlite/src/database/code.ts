import type { DeliveryKind, DeliveryPolicy } from "@banyan/plugin-sdk";
import type { DeliveryState, ItemKind, ItemState, PairingState } from "@banyan/plugin-sdk/store";

/**
 * Words that rows hold as small numbers, in the order of their codes. The order is part of the schema: partial indexes
 * say `state = 0` for waiting items, `kind = 1` for commands, `state < 3` for unsettled deliveries and `state = 0` for pending pairings.
 */
export const ITEM_KINDS: readonly ItemKind[] = ["message", "command", "completion", "nested", "system"];
export const ITEM_KIND: Readonly<Record<ItemKind, number>> = buildCodes(ITEM_KINDS);

export const ITEM_STATES: readonly ItemState[] = ["waiting", "active", "done", "quarantined", "refused"];
export const ITEM_STATE: Readonly<Record<ItemState, number>> = buildCodes(ITEM_STATES);

export const DELIVERY_STATES: readonly DeliveryState[] = [
  "pending",
  "sending",
  "stuck",
  "sent",
  "sent_maybe_repeated",
  "unknown",
  "undeliverable",
];
export const DELIVERY_STATE: Readonly<Record<DeliveryState, number>> = buildCodes(DELIVERY_STATES);

export const DELIVERY_KINDS: readonly DeliveryKind[] = ["reply", "notice", "command", "completion"];
export const DELIVERY_KIND: Readonly<Record<DeliveryKind, number>> = buildCodes(DELIVERY_KINDS);

export const DELIVERY_POLICIES: readonly DeliveryPolicy[] = ["effectively-once", "at-least-once", "at-most-once"];
export const DELIVERY_POLICY: Readonly<Record<DeliveryPolicy, number>> = buildCodes(DELIVERY_POLICIES);

export const PAIRING_STATES: readonly PairingState[] = ["pending", "approved", "denied"];
export const PAIRING_STATE: Readonly<Record<PairingState, number>> = buildCodes(PAIRING_STATES);

function buildCodes<Name extends string>(names: readonly Name[]): Record<Name, number> {
  const codes: Partial<Record<Name, number>> = {};
  names.forEach((name, code) => {
    codes[name] = code;
  });
  if (isComplete(codes, names)) return codes;
  throw new TypeError("building codes: a name is missing");
}

function isComplete<Name extends string>(
  codes: Partial<Record<Name, number>>,
  names: readonly Name[],
): codes is Record<Name, number> {
  return names.every((name) => name in codes);
}
