import type { Address, TextCapability } from "@banyan/plugin-sdk";
import type { NewEntry, Store } from "@banyan/store";
import type { DeliveryPolicies } from "../config/shapes/delivery-setting.ts";
import type { CallableHooks } from "../hooks/lifecycle-hooks.ts";
import type { Outbox } from "../outbound/outbox.ts";
import type { Ports } from "../ports/ports.ts";
import type { SessionCache } from "../sessions/session-cache.ts";
import type { RunFigures } from "../sessions/update-after-run.ts";

/** A turn that was stopped: what it leaves for the transcript, written by who stopped it. */
export interface StoppedTurn {
  readonly epoch: number;
  readonly sessionId: string;
  readonly entries: readonly NewEntry[];
  /** What waits in its lane and was heard by it as well. */
  readonly taken: readonly number[];
  /** What it had said to people so far. */
  readonly text: string;
  /** What it had used so far, as far as its agent has told. */
  readonly figures: RunFigures;
}

/** What the ends of runs are joined to in `gateway.ts`. */
export interface RunParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly owner: string;
  readonly hooks: CallableHooks;
  readonly outbox: Outbox;
  readonly sessions: SessionCache;
  /** Aborts when the gateway stops for good: nothing waits longer. */
  readonly signal: AbortSignal;
  /** How an address' channel splits and promises what is sent. */
  getChannel(address: Address): DeliveryPolicies & { readonly text: TextCapability };
  /** Stops a lane's turn without ending it in the store. `isClaimed`: the store says that one runs. */
  stopTurn(lane: string, isClaimed: boolean): Promise<StoppedTurn | undefined>;
  /** Lanes may have something to do. */
  wakeLanes(lanes: readonly string[]): void;
  /** Timers were armed, the first of them due in so long; absent: some may be due now. */
  wakeTimers(dueInMs?: number): void;
}
