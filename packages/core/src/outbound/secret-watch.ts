import { LONGEST_SECRET_CHARS } from "../ports/secret-scrubber.ts";

/** Looks for registered secrets in bytes that come in pieces, also across the cut between two. */
export class SecretWatch {
  readonly #scrub: (text: string) => string;
  readonly #decoder = new TextDecoder();
  #tail = "";

  constructor(scrub: (text: string) => string) {
    this.#scrub = scrub;
  }

  /** Whether the end of what came before, together with this piece, holds one. */
  sees(piece: Uint8Array): boolean {
    const text = this.#tail + this.#decoder.decode(piece, { stream: true });
    this.#tail = text.slice(-LONGEST_SECRET_CHARS);
    return this.#scrub(text) !== text;
  }
}
