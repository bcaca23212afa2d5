import type { Address } from "@banyan/plugin-sdk";
import type { RunEndReason } from "@banyan/store";
import type { RunEnder } from "./decide-speaker.ts";

/** How runs end, and by whom. */
export interface EndCause {
  readonly reason: RunEndReason;
  /** A sentence for requester and chat; none where it is `complete`. */
  readonly error?: string;
  readonly by: RunEnder;
  /** The conversation that had asked is over, and the next one is to know nothing of it. */
  readonly isClosing?: boolean;
  /** With `command`: where its answer goes. Runs whose chat is another one are told of there. */
  readonly spokenAt?: Address;
}
