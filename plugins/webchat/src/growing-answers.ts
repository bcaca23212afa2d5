import type { Clock } from "@banyan/plugin-sdk";
import type { ChatEvent } from "./chat-event.ts";

/** At most 20 looks a second at one answer: more than eyes can tell apart. */
const SHORTEST_PACE_MS = 50;
/** Each look carries the whole text, so long ones come less often: never more than this many characters a second. */
const CHARS_PER_MS = 400;
/** Turns shown at once; the sessions of one operator are far fewer. Of others only the end is seen. */
const MOST_ANSWERS = 1_000;

interface Answer {
  readonly peer: string;
  text: string;
  shown: string;
  cancelLook: (() => void) | undefined;
}

export interface GrowingAnswersParts {
  readonly clock: Clock;
  tell(peer: string, event: ChatEvent): void;
}

/** Answers while they are made: coalesced, never stored. */
export class GrowingAnswers {
  readonly #answers = new Map<string, Answer>();
  readonly #parts: GrowingAnswersParts;

  constructor(parts: GrowingAnswersParts) {
    this.#parts = parts;
  }

  update(turnId: string, peer: string, text: string): void {
    const known = this.#answers.get(turnId);
    if (known === undefined && this.#answers.size >= MOST_ANSWERS) return;
    const answer = known ?? { peer, text, shown: "", cancelLook: undefined };
    answer.text = text;
    this.#answers.set(turnId, answer);
    if (answer.cancelLook === undefined) this.#show(turnId, answer);
  }

  end(turnId: string): void {
    const answer = this.#answers.get(turnId);
    if (answer === undefined) return;
    answer.cancelLook?.();
    this.#answers.delete(turnId);
    this.#parts.tell(answer.peer, { type: "progress_end", turnId });
  }

  /** What a reader who comes now has missed. */
  list(peer: string): readonly ChatEvent[] {
    return [...this.#answers]
      .filter(([, answer]) => answer.peer === peer)
      .map(([turnId, { text }]) => ({ type: "progress", turnId, text }));
  }

  close(): void {
    for (const { cancelLook } of this.#answers.values()) cancelLook?.();
    this.#answers.clear();
  }

  #show(turnId: string, answer: Answer): void {
    const { clock, tell } = this.#parts;
    answer.shown = answer.text;
    tell(answer.peer, { type: "progress", turnId, text: answer.text });
    answer.cancelLook = clock.schedule(Math.max(SHORTEST_PACE_MS, answer.text.length / CHARS_PER_MS), () => {
      answer.cancelLook = undefined;
      if (answer.text !== answer.shown) this.#show(turnId, answer);
    });
  }
}
