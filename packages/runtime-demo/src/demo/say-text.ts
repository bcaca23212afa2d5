import type { LiveTurn } from "@banyan/plugin-sdk/runtime";
import { splitIntoChunks } from "./text-chunk.ts";

/** Says a text that is known whole, so that it visibly grows. */
export async function sayText(turn: LiveTurn, text: string): Promise<void> {
  for (const chunk of splitIntoChunks(text)) await turn.say(chunk);
}
