import type { Address } from "../channel/address.ts";
import type { AttachmentReference } from "../channel/inbound-message.ts";
import type { PermissionChoice } from "../runtime/permission.ts";
import type { Saying, TurnEnding } from "../runtime/tool.ts";
import type { Completion } from "./completion.ts";

/** What an entry of a transcript is. A column of its own, so that no text can pass for another kind. */
export type EntryKind =
  | "message"
  | "tool_call"
  | "tool_result"
  | "question"
  | "answer"
  | "completion"
  | "compaction"
  | "reset"
  | "injection"
  | "interruption"
  /** Without content: what an attempt of a turn had used when it was given back. */
  | "usage"
  | "notice";

/** Who may see a part. A channel only ever receives `user` parts. */
export type Audience = "user" | "agent" | "operator";

export type ContentPart =
  | { readonly type: "text"; readonly text: string; readonly audience?: readonly Audience[] }
  | { readonly type: "tool_call"; readonly ordinal: number; readonly name: string; readonly args: unknown }
  | {
      readonly type: "tool_result";
      readonly ordinal: number;
      readonly name: string;
      readonly text: string;
      readonly isError: boolean;
      /** The turn ended with this call; a later attempt of it ends there, too. */
      readonly endsTurn?: TurnEnding;
      /** It goes to the chat with the end of the turn, also with that of a later attempt. */
      readonly says?: Saying;
    }
  /** What a person was asked; the first answer with its id holds. */
  | {
      readonly type: "question";
      readonly id: string;
      readonly text: string;
      readonly choices: readonly PermissionChoice[];
      readonly askedOf: ChannelPeer;
    }
  /** Without `choice`: nobody answered in time. */
  | { readonly type: "answer"; readonly id: string; readonly choice?: string; readonly by?: ChannelPeer }
  /** `formatCompletion` says how an agent reads it. */
  | { readonly type: "completion"; readonly completion: Completion }
  /** A turn was cut off here by a newer message; `text` says so to whoever reads it. */
  | ({ readonly type: "interruption"; readonly text: string } & CutTurns);

/** Turns that were cut off one behind the other, each by a newer message. Their entries are those of their lane items. */
export interface CutTurns {
  /** Lane items, the latest last. */
  readonly itemSeqs: readonly number[];
  /** The agent goes on from before them: what it said and found out in them is left out of what it is given. */
  readonly isSetBack?: true;
}

/** Somebody, by the platform's stable id. */
export interface ChannelPeer {
  readonly channel: string;
  readonly peer: string;
  readonly displayName?: string;
}

/**
 * Tokens and money, as the provider reported them. Absent means unknown, never zero. Of what a runtime tells, a number below
 * nothing, or that is none, is unknown, and a part of a token counts as one.
 */
export interface Usage {
  /** All of them, with those of `cacheRead` and `cacheWrite`. */
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly costUsd?: number;
  /**
   * Of an agent that tells what its own session has cost in all: that total, up to which `costUsd` counts. The last one holds;
   * it is kept in the step that counts the cost, so that the next turn begins behind it (`AcpRecord.spentUsd`).
   */
  readonly spentUsd?: number;
}

export type StopReason = "done" | "stopped" | "error" | "length";

/** A file that came with a message. It stays on its platform until the tool `save_attachment` is called with its id. */
export interface TranscriptAttachment {
  /** Unique in its session, such as `17.1`. */
  readonly id: string;
  /** Where the message was written: its account fetches the file. */
  readonly address: Address;
  readonly file: AttachmentReference;
}

/** One line of a transcript: linear, append-only, per `sessionId`. */
export interface TranscriptEntry {
  readonly id: string;
  /** Counted from 1 per `sessionId`; given by the store. */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly kind: EntryKind;
  readonly role: "user" | "assistant" | "tool" | "system";
  readonly content: readonly ContentPart[];
  readonly sender?: { readonly id: string; readonly displayName?: string };
  readonly attachments?: readonly TranscriptAttachment[];
  readonly api?: string;
  readonly provider?: string;
  readonly model?: string;
  /** Of an answer: all of its turn. Of a tool's result: since the one before it, for a turn that is cut off behind it. */
  readonly usage?: Usage;
  readonly stopReason?: StopReason;
  /** Of an answer: the run that its turn worked for. */
  readonly runId?: string;
}

/** An entry before the store has given it its place. */
export type NewTranscriptEntry = Omit<TranscriptEntry, "seq">;
