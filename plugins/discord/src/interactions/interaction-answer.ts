/** What Discord is answered at once. Discord documentation, "Receiving and Responding to Interactions". */

/** The body of an interaction's callback. Nothing that matters is said by it: it has no key by which a repeat is known. */
export interface InteractionAnswer {
  readonly type: number;
  readonly data?: object;
}

const PONG = 1;
const MESSAGE = 4;
const CHOICES = 8;
/** Seen by the one who pressed or typed. */
const EPHEMERAL = 1 << 6;
/** "Application Command Option Choice Structure". */
const MOST_CHOICES = 25;
const CHOICE_LIMIT_CHARS = 100;
const CONTENT_LIMIT_CHARS = 2_000;

export const PONG_ANSWER: InteractionAnswer = { type: PONG };

/** A line for the one who asked. */
export function buildWhisper(content: string): InteractionAnswer {
  return { type: MESSAGE, data: { content, flags: EPHEMERAL, allowed_mentions: { parse: [] } } };
}

/** What was asked, for all to see: the answer stands below it. */
export function buildQuestion(question: string): InteractionAnswer {
  const quoted = question.replaceAll(/^/gm, "> ").slice(0, CONTENT_LIMIT_CHARS).toWellFormed();
  return { type: MESSAGE, data: { content: quoted, allowed_mentions: { parse: [] } } };
}

export function buildChoices(
  choices: readonly { readonly value: string; readonly label: string }[],
): InteractionAnswer {
  const shown = choices
    .filter(({ value }) => value.length > 0 && value.length <= CHOICE_LIMIT_CHARS)
    .slice(0, MOST_CHOICES)
    .map(({ value, label }) => ({ name: label.slice(0, CHOICE_LIMIT_CHARS).toWellFormed() || value, value }));
  return { type: CHOICES, data: { choices: shown } };
}
