import type { WireFields } from "./message.ts";

/** A custom emoji that anybody may give a topic. */
export interface TopicIcon {
  readonly emoji: string;
  readonly customEmojiId: string;
}

/** Some of the hundred or so that Telegram has, spelt as there: several with the selector of their coloured look. */
export const TOPIC_ICONS: readonly TopicIcon[] = [
  { emoji: "📰", customEmojiId: "5434144690511290129" },
  { emoji: "💡", customEmojiId: "5312536423851630001" },
  { emoji: "⚡️", customEmojiId: "5312016608254762256" },
  { emoji: "❗️", customEmojiId: "5379748062124056162" },
  { emoji: "📝", customEmojiId: "5373251851074415873" },
  { emoji: "🔎", customEmojiId: "5309965701241379366" },
  { emoji: "🏁", customEmojiId: "5408906741125490282" },
  { emoji: "✅", customEmojiId: "5237699328843200968" },
];

export function findTopicIcon(customEmojiId: string): TopicIcon | undefined {
  return TOPIC_ICONS.find((icon) => icon.customEmojiId === customEmojiId);
}

/** A Sticker of the Bot API. Its file cannot be fetched. */
export function buildIconSticker({ emoji, customEmojiId }: TopicIcon): WireFields {
  return {
    file_id: `topic-icon-${customEmojiId}`,
    file_unique_id: `icon-${customEmojiId}`,
    type: "custom_emoji",
    width: 100,
    height: 100,
    is_animated: true,
    is_video: false,
    emoji,
    custom_emoji_id: customEmojiId,
    file_size: 2048,
  };
}
