import { testCapabilities } from "./capability-table.ts";
import { TOPIC_CAPABILITIES } from "./telegram-topics.ts";

testCapabilities("Telegram", "telegram", TOPIC_CAPABILITIES);
