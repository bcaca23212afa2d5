import type { ChannelPeer, Completion, DeliveryFile, PermissionChoice } from "@banyan/plugin-sdk";

/** What stands in a delivery's body: the text as it is sent, fence prefix and suffix included. */
export interface DeliveryBody {
  readonly text: string;
  readonly replyTo?: string;
  /** The turn whose own words they are, as its plugin was told it with the growing answer. */
  readonly turnId?: string;
  /** With policy `anchor`: what is sent first, to be edited into the text. */
  readonly placeholder?: string;
  /** With kind `status`: the row behind which it is sent, and without which it is not. */
  readonly behind?: string;
  /** With kind `question`. */
  readonly question?: DeliveryQuestion;
  /** With kind `completion`, in the first part: what the message tells of. */
  readonly announcement?: DeliveryAnnouncement;
  /** What the part brings; `text` is then its caption and may be empty. */
  readonly file?: DeliveryFile;
}

/** What a delivery asks, and which turn. */
export interface DeliveryQuestion {
  readonly id: string;
  readonly itemSeq: number;
  readonly sessionId: string;
  readonly choices: readonly PermissionChoice[];
  readonly askedOf: ChannelPeer;
  /** Milliseconds since the epoch, by the host's clock. */
  readonly expiresAt: number;
}

/** The runs of which a delivery tells the chat; all but the newest in `alsoRunIds`. */
export interface DeliveryAnnouncement {
  readonly runId: string;
  readonly childSessionKey: string;
  readonly completion: Completion;
  readonly alsoRunIds: readonly string[];
}
