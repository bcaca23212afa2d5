import { testCapabilities } from "./capability-table.ts";
import { FILE_CAPABILITIES } from "./telegram-files.ts";
import { TALK_CAPABILITIES } from "./telegram-talk.ts";
import { TOPIC_CAPABILITIES } from "./telegram-topics.ts";

testCapabilities("Telegram", "telegram", [...TOPIC_CAPABILITIES, ...TALK_CAPABILITIES, ...FILE_CAPABILITIES]);
