import type { ToolAnswer } from "../tools/tool-answer.ts";

/** A message that stands in another session's lane: a turn of its own there, or a run that is owed to the sender. */
export type SentMessage =
  | { readonly kind: "turn"; readonly dedupe: string }
  | { readonly kind: "run"; readonly runId: string };

export interface UnsentMessage {
  readonly kind: "unsent";
  readonly answer: ToolAnswer;
}

/** What a turn is answered that has lost its lane, as the second half of a sentence. */
export const LOST_TURN = "another process runs this turn by now; end your turn";

/** `problem`: what is wrong and what to do, as the second half of a sentence. */
export function refuseMessage(status: "error" | "forbidden", problem: string): UnsentMessage {
  return { kind: "unsent", answer: { status, error: `Sending a message: ${problem}` } };
}
