import type { Clock, Log } from "@banyan/plugin-sdk";
import type { AccountHealth } from "@banyan/plugin-sdk/kit";
import type { FaultReport } from "../fault-report.ts";

/** What every part of polling that may fail has around it. */
export interface PollSurroundings {
  readonly health: AccountHealth;
  readonly reportFault: FaultReport;
  readonly clock: Clock;
  readonly log: Log;
  /** From 0 to below 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}
