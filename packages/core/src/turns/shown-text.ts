/** Longer ones are found in what is stored and sent, not in what is shown while it grows. */
const LONGEST_SECRET_CHARS = 4_096;
/** A text that holds a secret is looked through anew where it has grown by such a part of itself. */
const PART_GROWN = 1 / 16;

/**
 * What is shown of an answer while it grows, without secrets, which can come in pieces. Looking for them in all that was said,
 * at each piece, would cost the square of that; and anybody can have an agent say what looks like one, so that where one was
 * seen the text shown stays a little behind instead.
 */
export class ShownText {
  readonly #scrub: (text: string) => string;
  #holdsSecret = false;
  #shown = "";
  /** How much of the answer that shows. */
  #lengthChars = 0;

  constructor(scrub: (text: string) => string) {
    this.#scrub = scrub;
  }

  /** `text`: all of the answer, `delta` included, with which it ends. */
  grow(text: string, delta: string): string {
    const fresh = text.slice(-(delta.length + LONGEST_SECRET_CHARS));
    const isFirst = !this.#holdsSecret && this.#scrub(fresh) !== fresh;
    this.#holdsSecret ||= isFirst;
    if (!this.#holdsSecret) return text;
    if (isFirst || text.length - this.#lengthChars >= text.length * PART_GROWN) {
      this.#shown = this.#scrub(text);
      this.#lengthChars = text.length;
    }
    return this.#shown;
  }
}
