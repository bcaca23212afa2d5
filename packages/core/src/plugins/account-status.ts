/** How an account fares, as `healthz`, `status` and start-up show it. */
export interface AccountStatus {
  readonly state: "connecting" | "running" | "retrying" | "failed" | "stopped";
  /** A sentence for the operator. */
  readonly detail?: string;
}

export function formatAccountName(channel: string, account: string): string {
  return `${channel}/${account}`;
}
