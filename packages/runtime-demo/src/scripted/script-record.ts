import type { CommittedToolCall, SessionSpec, ToolResult, TranscriptEntry, TurnMessage } from "@banyan/plugin-sdk";
import type { TurnEnd } from "@banyan/plugin-sdk/runtime";

/** All that one attempt of a turn was given, and how it ended. Grows while the attempt runs. */
export interface RecordedAttempt {
  readonly spec: SessionSpec;
  readonly turnId: string;
  readonly attempt: number;
  readonly input: readonly TurnMessage[];
  readonly committedCalls: readonly CommittedToolCall[];
  history: readonly TranscriptEntry[];
  readonly toolResults: ToolResult[];
  readonly steered: TurnMessage[];
  /** Absent while it is live. */
  end?: TurnEnd;
}

/** What the scripted agents have seen, in the order the attempts began. */
export class ScriptRecord {
  readonly #attempts: RecordedAttempt[] = [];

  get attempts(): readonly RecordedAttempt[] {
    return this.#attempts;
  }

  of(sessionKey: string): readonly RecordedAttempt[] {
    return this.#attempts.filter(({ spec }) => spec.sessionKey === sessionKey);
  }

  /**
   * Everything the agent of a session was ever given, as one text: instructions, tools, inputs with sender and context,
   * history, tool results. A canary that is not in it never reached that agent.
   */
  seenBy(sessionKey: string): string {
    return JSON.stringify(this.of(sessionKey), undefined, 1);
  }

  add(attempt: RecordedAttempt): void {
    this.#attempts.push(attempt);
  }
}
