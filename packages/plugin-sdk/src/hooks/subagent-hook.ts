import type { Address } from "../channel/address.ts";
import type { Completion } from "../session/completion.ts";

/** Where the requester of a run is, frozen when the run was reserved. Spelled as the ecosystem spells it. */
export interface Requester {
  readonly channel: string;
  readonly accountId: string;
  /** The chat. */
  readonly to: string;
  readonly threadId?: string;
  /** All of that as one value, for what is opened or sent there. */
  readonly address: Address;
}

export type RunMode = "run" | "session";

export interface SpawningRun {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly agentId: string;
  readonly label?: string;
  /** How the task begins, at most 200 characters. */
  readonly task: string;
  readonly mode: RunMode;
  readonly threadRequested: boolean;
  /** With `threadRequested`: the reservation's id of the binding, which the thread is opened by. */
  readonly bindingId?: string;
  readonly requester: Requester;
  /** The platform's id of whoever's message brought it about; no person's where a sub-agent asked. */
  readonly askedBy?: string;
  readonly requesterSessionKey: string;
}

/** A child session bound to a thread. `id` is the reservation's `bindingId`, so that opening can be repeated. */
export interface ThreadBinding {
  readonly id: string;
  readonly address: Address;
}

export type SpawningAnswer =
  | { readonly status: "ok"; readonly threadBindingReady: true; readonly binding: ThreadBinding }
  | { readonly status: "error"; readonly error: string };

export interface SpawnedRun extends SpawningRun {
  readonly binding?: ThreadBinding;
}

export interface EndedRun {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly requesterSessionKey: string;
  readonly completion: Completion;
}

export interface DeliveryTarget extends EndedRun {
  readonly target: Address;
}

/** One part of a message that tells of a run's end. */
export interface Announcement {
  /**
   * `id` and `part` (from 0) are the same over every attempt, so they can serve as the platform's idempotency key;
   * `attempt` counts from 1; `createdAt` and `mayHaveArrived` are those of an `OutboundMessage`.
   */
  readonly delivery: {
    readonly id: string;
    readonly part: number;
    readonly of: number;
    readonly attempt: number;
    readonly createdAt: number;
    readonly mayHaveArrived: boolean;
    /**
     * The platform's id of an own message that is to be edited into this text; it is the receipt, then. A tap that sends
     * another message instead may send it twice. Where it can be edited no more, throw `message_gone`.
     */
    readonly anchorId?: string;
  };
  readonly completion: Completion;
  readonly target: Address;
  /** This part in Markdown, final: within the channel's limit, with the mark where it may be a repeat. */
  readonly text: string;
  /** The platform's id of the message this answers, where showing that helps. */
  readonly replyTo?: string;
  readonly requesterSessionKey: string;
  readonly childSessionKey: string;
  readonly runId: string;
  /** The thread that the child session lives in, or lived in until it was freed; absent: it never had one. */
  readonly childThread?: Address;
  /** Where a turn of the requester tells it in its own words: that turn, as in an `OutboundMessage`. */
  readonly turnId?: string;
}
