/** The part of the index of attacks that is about what is posted to the gateway in a platform's name. */
export const WEBHOOK_ATTACKS: readonly (readonly [attack: number, ...titles: string[]])[] = [
  [10, "%j is refused at load (T41)"],
  [10, "nothing is read without the secret (T41)"],
  [10, "a post without the secret is refused and not stored"],
  [
    12,
    "%.20s is no update, and stops nothing",
    "a key __proto__ changes nothing",
    "a body without end is not read to its end",
    "a body that never comes is waited for ten seconds",
  ],
  [12, "a body that is too large or too slow is not taken"],
];
