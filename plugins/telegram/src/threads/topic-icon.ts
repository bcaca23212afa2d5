/** Which icon a topic has for how its sub-agent fares. Pure. */
import type { RunOutcome } from "@banyan/plugin-sdk";

export type TopicState = "working" | "done" | "failed" | "stopped";

/** A custom emoji that bots may give to topics, "getForumTopicIconStickers" of core.telegram.org/bots/api. */
export interface TopicIcon {
  readonly emoji: string;
  readonly customEmojiId: string;
}

/** The first that Telegram has is taken; its list has neither a clock nor a stop sign. */
const WANTED: Readonly<Record<TopicState, readonly string[]>> = {
  working: ["⚡", "🔎", "💡"],
  done: ["✅", "👍"],
  failed: ["❗", "‼", "❌"],
  stopped: ["🏁", "⏹"],
};
/** Asks for the coloured look of a sign; Telegram has it with some and not with others. */
const COLOURED = "\uFE0F";

export function resolveTopicState(outcome: RunOutcome): Exclude<TopicState, "working"> {
  if (outcome === "done") return "done";
  return outcome === "killed" ? "stopped" : "failed";
}

/** `undefined` where Telegram has none that fits. */
export function chooseTopicIcon(state: TopicState, icons: readonly TopicIcon[]): string | undefined {
  const plain = icons.map(({ emoji, customEmojiId }) => ({ emoji: emoji.replaceAll(COLOURED, ""), customEmojiId }));
  for (const wanted of WANTED[state]) {
    const found = plain.find(({ emoji }) => emoji === wanted);
    if (found !== undefined) return found.customEmojiId;
  }
  return undefined;
}
