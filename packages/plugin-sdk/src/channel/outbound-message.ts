import type { Address } from "./address.ts";
import type { ShownQuestion } from "./shown-question.ts";
import type { ShownRun } from "./shown-run.ts";

/**
 * `reply`: an agent's answer. `notice`: a line of the host. `command`: the answer to a command. `completion`: a run's end.
 * `status`: a line that tells how sub-agents fare or holds the place of a completion, edited later.
 * `question`: a person is asked whether an agent may do something.
 */
export type DeliveryKind = "reply" | "notice" | "command" | "completion" | "status" | "question";

/** One part of a message, within the channel's limit. It is final: a plugin renders it and changes nothing else. */
export interface OutboundMessage {
  /** The same over every attempt, so it can serve as the platform's idempotency key together with `part`. */
  readonly deliveryId: string;
  /** Counted from 0. */
  readonly part: number;
  readonly of: number;
  readonly address: Address;
  readonly kind: DeliveryKind;
  /** Markdown (CommonMark with fences). Never empty, but beside a `file`, of which it is the caption. */
  readonly text: string;
  /** The platform's id of the message this answers, where showing that helps. */
  readonly replyTo?: string;
  /** Counted from 1. */
  readonly attempt: number;
  /**
   * Milliseconds since the epoch: when the message was written down, never after its first attempt began. In a new process
   * it may be a few milliseconds earlier.
   */
  readonly createdAt: number;
  /**
   * An earlier attempt of this part was cut off, by a lost answer or by the process' death, so it may stand in the chat
   * already. `false`: it certainly does not.
   */
  readonly mayHaveArrived: boolean;
  /**
   * Of an agent's own words (each `reply`, and a `completion` that its requester tells itself): the turn that they end, by
   * the id that `progress.update` was given. It is the same where the turn ran again in a new process; only a turn whose
   * session went on under another key meanwhile (a moved chat, a rekey) ran again under another id. Absent for what an
   * earlier version has written down.
   */
  readonly turnId?: string;
  /** A file that the part brings; only where `capabilities.files` says that the channel takes them. One part, one file. */
  readonly file?: OutboundFile;
  /**
   * What `text` begins with where an earlier attempt may have arrived and the channel promises no more than `at-least-once`.
   * A plugin that turns a message which stands there into this one leaves it out: then it stands there once.
   */
  readonly repeatMark?: string;
  /** The sub-agent that it tells of, for channels with buttons. */
  readonly run?: ShownRun;
  /** With kind `question`, in the last part: what can be answered, for channels with buttons. */
  readonly question?: ShownQuestion;
}

export interface OutboundFile {
  /** One segment of a path, without signs that a header or a file system would mind. */
  readonly name: string;
  readonly sizeBytes: number;
  /** The same bytes in each attempt. Throws a `ChannelError` of the class `permanent` where they are gone. */
  read(): Promise<Uint8Array>;
}

/** Proof that the platform took a message. */
export interface DeliveryReceipt {
  /** The platform's id of the message that now exists. */
  readonly platformId: string;
}

/**
 * What a channel can promise of a message whose sending was cut off.
 * `effectively-once`: the platform has a key or a history by which a repeat is recognised; the conformance kit proves it.
 * `at-least-once`: sent again, with a mark that it may be a repeat. `at-most-once`: not sent again, reported as unknown.
 */
export type ChannelPromise = "effectively-once" | "at-least-once" | "at-most-once";

/**
 * How one message goes out. `anchor`: a short message is sent first and then edited into the text. An edit may be repeated
 * without a trace, so where the channel has the ability `edits` no text stands there twice, though nothing knows a repeat.
 */
export type DeliveryPolicy = ChannelPromise | "anchor";
