import type { Ports } from "../ports/ports.ts";
import { LONGEST_SECRET_CHARS } from "../ports/secret-scrubber.ts";

/** A text with a secret is searched again when it has grown by this fraction. */
const PART_GROWN = 1 / 16;

/**
 * The visible part of a growing answer, without secrets, which can arrive in pieces. Searching the whole answer at each
 * piece would take quadratic time, and anyone can make an agent say what looks like a secret; so after the first one
 * the shown text lags a little. What may be the beginning of a secret is shown when more has arrived.
 */
export class ShownText {
  readonly #scrub: Ports["scrub"];
  readonly #holdBack: Ports["holdBack"];
  #holdsSecret = false;
  #shown = "";
  /** How much of the answer is shown. */
  #lengthChars = 0;

  constructor({ scrub, holdBack }: Pick<Ports, "scrub" | "holdBack">) {
    this.#scrub = scrub;
    this.#holdBack = holdBack;
  }

  /** `text`: the whole answer, which ends with `delta`. */
  grow(text: string, delta: string): string {
    const fresh = text.slice(-(delta.length + LONGEST_SECRET_CHARS));
    if (!this.#holdsSecret) {
      const clean = this.#scrub(fresh);
      if (clean === fresh) return text.slice(0, text.length - this.#holdBack(fresh));
    }
    if (!this.#holdsSecret || text.length - this.#lengthChars >= text.length * PART_GROWN) {
      this.#holdsSecret = true;
      const shown = this.#scrub(text);
      // Of the scrubbed text: the end of a whole secret can be the beginning of another one.
      const held = this.#holdBack(shown);
      this.#shown = shown.slice(0, shown.length - held);
      this.#lengthChars = text.length - held;
    }
    return this.#shown;
  }
}
