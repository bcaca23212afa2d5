/** How an agent takes a message. */
export const AGENT_MOODS = [
  "echo",
  "stream",
  "long",
  "tool",
  "tools",
  "hang",
  "deaf",
  "throw",
  "error",
  "silent",
  "mute",
  "secret",
  "flood",
  "no_reply",
  "skip",
  "yield",
  "send",
  "wait",
  "kill",
] as const;

/**
 * `long` answers in several parts; `hang` never ends by itself; `deaf` hangs and does not let itself be stopped;
 * `silent` ends without a word; `mute` ends without saying so; `secret` says what it must not; `flood` never stops;
 * `no_reply` and `skip` say exactly what stands for silence; `yield` ends its turn by a call; `send`, `wait` and `kill`
 * turn to the first of those it has asked.
 */
export type AgentMood = (typeof AGENT_MOODS)[number] | StagedMood;

/** In no plan, only where a world is staged: `poison` ends the process whenever it runs, `walk` makes one call after another. */
export type StagedMood = "poison" | "walk";
