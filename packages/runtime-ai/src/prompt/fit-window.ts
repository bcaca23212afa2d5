import type { ModelMessage } from "ai";

/** What is left free of a window: for the answer, and for what an estimate is wrong by. */
const FILLED_SHARE = 0.8;
/** A token of English is four letters, one of Chinese is three bytes; estimated low, so that too much is counted. */
const BYTES_PER_TOKEN = 3;
/** Around each message stand its role and marks. */
const TOKENS_PER_MESSAGE = 8;
/** What Anthropic counts for the largest it looks at ("Vision" of its guides); OpenAI counts about as much. */
const TOKENS_PER_IMAGE = 1_600;

export interface Prompt {
  /** What was said before this turn, oldest first. */
  readonly history: readonly ModelMessage[];
  /** What the turn answers to; never left out. */
  readonly turn: readonly ModelMessage[];
  /** Tokens of everything else that is sent: instructions and tools. */
  readonly otherTokens: number;
  readonly windowTokens: number;
  /** Messages that were left out of the history before. */
  readonly leftOutBefore?: number;
}

export interface FittedPrompt {
  /** What stands before the turn: the history, or a notice and the newest of it. */
  readonly head: readonly ModelMessage[];
  /** How many of the oldest messages are not in it, those of before included. */
  readonly leftOutCount: number;
}

/** Leaves the oldest messages out where the estimate passes four fifths of the window, and says so in their place. Pure. */
export function fitWindow({ history, turn, otherTokens, windowTokens, leftOutBefore = 0 }: Prompt): FittedPrompt {
  const room = windowTokens * FILLED_SHARE - otherTokens - sum(turn.map(estimateMessageTokens));
  let used = 0;
  let first = history.length;
  while (first > 0) {
    const message = history[first - 1];
    used += message === undefined ? 0 : estimateMessageTokens(message);
    if (used > room) break;
    first -= 1;
  }
  // A conversation begins with what somebody said: no result stands without its call.
  while (first > 0 && first < history.length && history[first]?.role !== "user") first += 1;
  if (first === 0) return { head: history, leftOutCount: leftOutBefore };
  const leftOutCount = leftOutBefore + first;
  const notice = `(The ${leftOutCount} oldest messages of this conversation are left out: they do not fit any more. What you need of them, ask for.)`;
  return { head: [{ role: "user", content: notice }, ...history.slice(first)], leftOutCount };
}

export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
}

function estimateMessageTokens({ content }: ModelMessage): number {
  if (typeof content === "string") return TOKENS_PER_MESSAGE + estimateTokens(content);
  return TOKENS_PER_MESSAGE + sum(content.map(estimatePartTokens));
}

function estimatePartTokens(part: Exclude<ModelMessage["content"], string>[number]): number {
  return part.type === "file" ? TOKENS_PER_IMAGE : estimateTokens(JSON.stringify(part));
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
