import type { GatewayLoad } from "@banyan/core";
import type { CommittedToolCall, DeliveryKind } from "@banyan/plugin-sdk";
import type { RunRow, Step, StepResults } from "@banyan/store";
import type { AgentMood } from "../agents/agent-mood.ts";
import type { ChatMove } from "../events/group.ts";
import type { Said } from "../events/person.ts";
import type { Guest } from "./guest.ts";

/** A message of the bot that now stands in a chat. */
export interface Post {
  /** `<deliveryId>.<part>`: which row it came from. The person sees nothing of it. */
  readonly row: string;
  readonly account: string;
  readonly chat: string;
  readonly address: string;
  readonly kind: DeliveryKind;
  readonly text: string;
  /** Where messages can be edited. */
  readonly platformId?: string;
  /** It holds the place of what it is edited into later: that row's id. */
  readonly placeOf?: string;
}

/** A message of the bot says something else from now on. */
export interface Edit {
  readonly platformId: string;
  readonly account: string;
  readonly address: string;
  /** The row whose text it is; none of a status that goes on. */
  readonly row: string | undefined;
  readonly text: string;
}

/** A message that a thread was to be opened from, and still stands. */
export interface ThreadBeginning {
  /** By which the spawn is known. */
  readonly mark: string;
  readonly hasOpenThread: boolean;
}

/** One of them is missing where a run has begun, or has vanished. */
export interface RunChange {
  readonly before: RunRow | undefined;
  readonly after: RunRow | undefined;
}

/** Everything that invariants look at, told at the moment it happens. */
export type Observation =
  | { readonly type: "started"; readonly process: Guest }
  | {
      readonly type: "step";
      readonly process: Guest;
      readonly step: Step;
      readonly result: StepResults[keyof StepResults];
      /** The runs that it changed. */
      readonly runs: readonly RunChange[];
    }
  /** The operator deletes the session: who wrote there is not answered. */
  | { readonly type: "deleted"; readonly key: string }
  /** The platform counts these as received: it will not send them again by itself. */
  | { readonly type: "confirmed"; readonly said: readonly Said[]; readonly moves: readonly ChatMove[] }
  | {
      readonly type: "request";
      readonly process: Guest;
      readonly row: string;
      readonly account: string;
      readonly chat: string;
      readonly address: string;
    }
  /** The process asked for a place in the platform's pace. */
  | { readonly type: "paced"; readonly process: Guest; readonly address: string; readonly isGranted: boolean }
  /** The process was told to wait, for one chat or for the whole account. */
  | {
      readonly type: "limited";
      readonly process: Guest;
      readonly row: string;
      readonly account: string;
      readonly chat: string | undefined;
      readonly untilMs: number;
    }
  /** The platform said that it will never take this. */
  | { readonly type: "refused"; readonly row: string }
  | { readonly type: "posted"; readonly post: Post }
  | { readonly type: "edited"; readonly edit: Edit }
  /** A person deletes a message of the bot. */
  | { readonly type: "removed"; readonly platformId: string }
  /** The message can be edited no more: its chat is gone, or has moved. */
  | { readonly type: "uneditable"; readonly platformId: string }
  /** A line of the bot now stands in a chat that is no delivery's: what threads begin and end with, a growing answer. */
  | { readonly type: "lined"; readonly chat: string; readonly id: string; readonly text: string }
  | {
      readonly type: "turn";
      readonly process: Guest;
      readonly turnId: string;
      readonly mood: AgentMood;
      readonly attempt: number;
      readonly committedCalls: readonly CommittedToolCall[];
    }
  /** The turn ends the process. */
  | { readonly type: "poisoned"; readonly process: Guest; readonly turnId: string }
  /** An agent's side of a session is opened for a turn, with these tools. */
  | { readonly type: "opened"; readonly sessionKey: string; readonly tools: readonly string[] }
  /** The agent was given a tool's result. */
  | { readonly type: "tool"; readonly turnId: string; readonly ordinal: number; readonly text: string }
  | { readonly type: "logged"; readonly line: string }
  /** The faults are over, and nothing is left to do. */
  | { readonly type: "quiet"; readonly load: GatewayLoad; readonly threads: readonly ThreadBeginning[] };
