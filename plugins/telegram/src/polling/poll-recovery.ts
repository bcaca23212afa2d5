import { decideBackoffMs } from "@banyan/plugin-sdk/kit";
import type { TelegramFault } from "../telegram-fault.ts";

/** What the poller does about a failed poll. */
export type PollRecovery =
  | { readonly kind: "stop" }
  | { readonly kind: "delete_webhook" }
  | { readonly kind: "wait"; readonly delayMs: number; readonly hint?: string };

export interface FailedPoll {
  readonly fault: TelegramFault;
  /** Failures in a row before this one. */
  readonly failures: number;
  /** Of them, or shortly before them, those because of another program that uses the token. */
  readonly conflicts: number;
  /** What the configuration says of a webhook that stands in the way. */
  readonly webhook: "delete" | "refuse";
  /** This connection has taken a webhook away before; doing so again would be a fight with whoever sets it. */
  readonly hasDeletedWebhook: boolean;
  /** From 0 to below 1. */
  readonly random: number;
}

/** The other poller is disturbed by each of our calls, so they are rare from the start. */
const CONFLICT_BACKOFF = { firstMs: 5_000, limitMs: 60_000 };

const REFUSED_HINT =
  'a webhook is set for this token; delete it, or allow it with channels.telegram.accounts.<name>.webhook: "delete"';
const RESET_HINT = "another program sets a webhook for this token; stop it";

export function decidePollRecovery(poll: FailedPoll): PollRecovery {
  const { fault, failures, random } = poll;
  if (fault.class === "unauthorized") return { kind: "stop" };
  if (fault.retryAfterMs !== undefined) return { kind: "wait", delayMs: fault.retryAfterMs };
  const conflictMs = decideBackoffMs(poll.conflicts, random, CONFLICT_BACKOFF);
  switch (fault.row) {
    case "T32":
    case "T34":
      return { kind: "wait", delayMs: conflictMs };
    case "T33":
      if (poll.webhook === "refuse") return { kind: "wait", delayMs: conflictMs, hint: REFUSED_HINT };
      if (!poll.hasDeletedWebhook) return { kind: "delete_webhook" };
      return { kind: "wait", delayMs: conflictMs, hint: RESET_HINT };
    default:
      return { kind: "wait", delayMs: decideBackoffMs(failures, random) };
  }
}
