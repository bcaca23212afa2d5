import type { DeliveryKind, DeliveryPolicy } from "@banyan/plugin-sdk";
import type {
  BindingRow,
  DeliveryState,
  ItemKind,
  ItemState,
  ItemWake,
  PairingState,
  RunEndReason,
  RunSpeaker,
  RunState,
} from "@banyan/store";

/**
 * Words that rows hold as small numbers, in the order of their codes. The order is part of the schema: partial indexes
 * say `state = 0` for waiting items, `kind = 1` for commands, `state < 3` for unsettled deliveries, `state = 0` for
 * pending pairings, `state < 4` for unfinished runs and `ended_reason = 7` for undone ones.
 */
export const ITEM_KINDS: readonly ItemKind[] = ["message", "command", "completion", "nested", "system"];
export const ITEM_KIND: Readonly<Record<ItemKind, number>> = buildCodes(ITEM_KINDS);

export const ITEM_STATES: readonly ItemState[] = ["waiting", "active", "done", "quarantined", "refused", "held"];
export const ITEM_STATE: Readonly<Record<ItemState, number>> = buildCodes(ITEM_STATES);

export const ITEM_WAKES: readonly ItemWake[] = ["turn", "append"];
export const ITEM_WAKE: Readonly<Record<ItemWake, number>> = buildCodes(ITEM_WAKES);

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

export const DELIVERY_KINDS: readonly DeliveryKind[] = [
  "reply",
  "notice",
  "command",
  "completion",
  "status",
  "question",
];
export const DELIVERY_KIND: Readonly<Record<DeliveryKind, number>> = buildCodes(DELIVERY_KINDS);

export const DELIVERY_POLICIES: readonly DeliveryPolicy[] = [
  "effectively-once",
  "at-least-once",
  "at-most-once",
  "anchor",
];
export const DELIVERY_POLICY: Readonly<Record<DeliveryPolicy, number>> = buildCodes(DELIVERY_POLICIES);

export const PAIRING_STATES: readonly PairingState[] = ["pending", "approved", "denied"];
export const PAIRING_STATE: Readonly<Record<PairingState, number>> = buildCodes(PAIRING_STATES);

export const RUN_STATES: readonly RunState[] = ["reserved", "accepted", "running", "waiting", "ended"];
export const RUN_STATE: Readonly<Record<RunState, number>> = buildCodes(RUN_STATES);

export const RUN_END_REASONS: readonly RunEndReason[] = [
  "complete",
  "error",
  "timeout",
  "killed",
  "session-reset",
  "session-delete",
  "interrupted",
  "spawn-failed",
];
export const RUN_END_REASON: Readonly<Record<RunEndReason, number>> = buildCodes(RUN_END_REASONS);

export const RUN_SPEAKERS: readonly RunSpeaker[] = ["host", "parent", "nobody"];
export const RUN_SPEAKER: Readonly<Record<RunSpeaker, number>> = buildCodes(RUN_SPEAKERS);

export const BINDING_KINDS: readonly BindingRow["kind"][] = ["thread", "focus"];
export const BINDING_KIND: Readonly<Record<BindingRow["kind"], number>> = buildCodes(BINDING_KINDS);

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
