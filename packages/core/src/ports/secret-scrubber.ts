import { maskKnownSecrets } from "@banyan/plugin-sdk";

const SHORTEST_SECRET_CHARS = 6;
/** Fewer characters of a secret reveal nothing, and occur in every text. */
const SHORTEST_BEGINNING_CHARS = 3;
const MASK = "[secret]";
/**
 * Secrets up to this length are found wherever a text is cut or arrives in pieces, longer ones within one piece. A
 * private key with its escapes is shorter. In bytes where bytes are searched: no text has more characters than bytes.
 */
export const LONGEST_SECRET_CHARS: number = 16_384;

/**
 * Replaces every registered secret in a text, and every one that is known by its shape. Texts that are too short to be secrets are not registered, so that a
 * one-letter token does not blank the log.
 */
export interface SecretScrubber {
  add(secret: string): void;
  scrub(text: string): string;
  /** Returns how many characters at the end of a growing text may be the beginning of a registered secret. */
  holdBack(text: string): number;
}

export function createSecretScrubber(secrets: readonly string[] = []): SecretScrubber {
  const forms = new Set<string>();
  let longestFirst: readonly string[] = [];
  const scrubber: SecretScrubber = {
    add(secret) {
      if (secret.length < SHORTEST_SECRET_CHARS) return;
      forms.add(secret);
      forms.add(encodeURIComponent(secret.toWellFormed()));
      forms.add(JSON.stringify(secret).slice(1, -1));
      // The longest first: a secret that begins with another one would else leave its end behind.
      longestFirst = [...forms].sort((a, b) => b.length - a.length);
    },
    scrub(text) {
      let clean = text;
      for (const form of longestFirst) if (clean.includes(form)) clean = clean.replaceAll(form, MASK);
      return maskKnownSecrets(clean, MASK);
    },
    holdBack: (text) => Math.max(0, ...longestFirst.map((form) => countBeginning(text, form))),
  };
  for (const secret of secrets) scrubber.add(secret);
  return scrubber;
}

function countBeginning(text: string, form: string): number {
  const most = Math.min(form.length - 1, text.length);
  for (let chars = most; chars >= SHORTEST_BEGINNING_CHARS; chars -= 1)
    if (text.endsWith(form.slice(0, chars))) return chars;
  return 0;
}

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
