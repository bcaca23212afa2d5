/** Words that mean something in a key or a route; a channel or account of that name would make keys ambiguous. */
const RESERVED_WORDS: readonly string[] = [
  "agent",
  "dm",
  "direct",
  "group",
  "channel",
  "thread",
  "subagent",
  "acp",
  "cron",
  "hook",
  "main",
  "global",
  "unknown",
  "person",
];

/** Whether no channel and no account may bear this name. */
export function isReservedWord(word: string): boolean {
  return RESERVED_WORDS.includes(word);
}
