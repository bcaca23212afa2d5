/** What routes an address to a session of its own choice. */
import type { BindingRow } from "./run-rows.ts";
import type { FiredTimer, NewTimer } from "./timer-steps.ts";

export interface NewBinding extends Omit<BindingRow, "createdAtMs"> {}

interface AddressEffect {
  readonly address: string;
  readonly timers: readonly NewTimer[];
  readonly endTimers: readonly string[];
}

/** Another binding at the address goes; the one with this id gets the times that are given, and keeps its age. */
export interface Bind extends AddressEffect {
  readonly binding: NewBinding;
}

/** Removes the binding with this id. Another one at the address stays: it was bound there after the id was read. */
export interface Unbind extends AddressEffect {
  readonly binding: null;
  readonly bindingId: string;
}

/**
 * The route revision grows by one. In a command, where it stands so already, nothing of it is written; refused as
 * `conflict` where it removes a binding and another one is at the address, since people have to be told what is so.
 */
export type BindEffect = Bind | Unbind;

/**
 * Binds or unbinds outside a command. `already` where it stands so: the same id with the same times at the address, or
 * not the id that is to be removed. Refused as `no_session` where the child is gone or archived.
 */
export type BindStep = BindEffect & {
  readonly step: "bind";
  readonly timer?: FiredTimer;
};
