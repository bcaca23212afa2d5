import type { Clock, Log } from "@banyan/plugin-sdk";
import type { FaultReport } from "../fault-report.ts";
import type { AccountHealth } from "./account-health.ts";

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
