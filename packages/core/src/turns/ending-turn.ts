import type { Saying } from "@banyan/plugin-sdk";
import type { TargetAnswers } from "../runs/delivery-target.ts";
import type { SessionRecord } from "../sessions/session-record.ts";
import type { Turn, TurnEnd } from "./compose-turn.ts";
import type { FinalReply } from "./turn-reply.ts";

/** A turn whose end is about to be written. */
export interface EndingTurn {
  readonly turn: Turn;
  readonly end: TurnEnd;
  readonly reply: FinalReply | undefined;
  /** What goes to the chat before the reply, as the hook left it. */
  readonly sayings: readonly Saying[];
  /** The session as the step finds it. */
  readonly record: SessionRecord;
  /** Kept while the end is decided again. */
  readonly answers: TargetAnswers;
}
