import { testCapabilities } from "./capability-table.ts";
import { TALK_CAPABILITIES } from "./telegram-talk.ts";

testCapabilities("Telegram", "telegram", TALK_CAPABILITIES);
