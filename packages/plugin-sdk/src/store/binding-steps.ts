/** What routes an address to a session of its own choice. */
import type { BindingRow } from "./run-rows.ts";
import type { FiredTimer, NewTimer } from "./timer-steps.ts";

export interface NewBinding extends Omit<BindingRow, "createdAtMs"> {}

/**
 * `null` unbinds. Another one at the address goes; the one with this id gets the times that are given, and keeps its age.
 * The route revision grows by one. In a command, where it stands so already, nothing of it is written.
 */
export interface BindEffect {
  readonly address: string;
  readonly binding: NewBinding | null;
  readonly timers: readonly NewTimer[];
  readonly endTimers: readonly string[];
}

/**
 * Binds or unbinds outside a command. `already` where it stands so: the same id with the same times at the address, or
 * nothing. Refused as `no_session` where the child is gone or archived.
 */
export interface BindStep extends BindEffect {
  readonly step: "bind";
  readonly timer?: FiredTimer;
}
