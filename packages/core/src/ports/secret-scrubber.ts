import { maskKnownSecrets } from "@banyan/plugin-sdk";

const SHORTEST_SECRET_CHARS = 6;
const MASK = "[secret]";

/**
 * Replaces every registered secret in a text, and every one that is known by its shape. Texts that are too short to be secrets are not registered, so that a
 * one-letter token does not blank the log.
 */
export interface SecretScrubber {
  add(secret: string): void;
  scrub(text: string): string;
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
  };
  for (const secret of secrets) scrubber.add(secret);
  return scrubber;
}
