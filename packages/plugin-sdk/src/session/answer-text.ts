import type { ContentPart } from "./transcript-entry.ts";

/** A person's answer in one line: the choice, and whose it is. */
export function formatAnswer({ choice, by }: Extract<ContentPart, { type: "answer" }>): string {
  const who = by?.displayName ?? by?.peer;
  return choice === undefined ? "no one answered in time" : `${choice}${who === undefined ? "" : ` by ${who}`}`;
}
