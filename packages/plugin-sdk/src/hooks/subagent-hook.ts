import type { Address } from "../channel/address.ts";
import type { Completion } from "../session/completion.ts";

/** Where the requester of a run is, frozen when the run was reserved. Spelled as the ecosystem spells it. */
export interface Requester {
  readonly channel: string;
  readonly accountId: string;
  /** The chat. */
  readonly to: string;
  readonly threadId?: string;
}

export type RunMode = "run" | "session";

export interface SpawningRun {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly agentId: string;
  readonly label?: string;
  readonly mode: RunMode;
  readonly threadRequested: boolean;
  readonly requester: Requester;
  readonly requesterSessionKey: string;
}

/** A child session bound to a thread. `id` is the reservation's, so that opening can be repeated. */
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

export interface Announcement {
  /** `part` counts from 0. `id` is the same over every attempt. */
  readonly delivery: { readonly id: string; readonly part: number; readonly of: number };
  readonly completion: Completion;
  readonly target: Address;
  readonly text: string;
  readonly requesterSessionKey: string;
  readonly childSessionKey: string;
  readonly runId: string;
}
