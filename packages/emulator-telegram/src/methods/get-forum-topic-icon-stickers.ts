import { accept } from "../answers/answer.ts";
import { buildIconSticker, TOPIC_ICONS } from "../chats/topic-icon.ts";
import type { Method } from "./method.ts";

export const getForumTopicIconStickers: Method = ({ read }) =>
  read.refusal() ?? accept(TOPIC_ICONS.map(buildIconSticker));
