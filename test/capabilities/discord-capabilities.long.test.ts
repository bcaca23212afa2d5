import { testCapabilities } from "./capability-table.ts";
import { ANSWER_CAPABILITIES } from "./discord-answers.ts";
import { CHAT_CAPABILITIES } from "./discord-chats.ts";
import { DELIVERY_CAPABILITIES } from "./discord-deliveries.ts";
import { FILE_CAPABILITIES } from "./discord-files.ts";
import { INTERACTION_CAPABILITIES } from "./discord-interactions.ts";
import { THREAD_CAPABILITIES } from "./discord-threads.ts";

testCapabilities("Discord", "discord", [
  ...CHAT_CAPABILITIES,
  ...THREAD_CAPABILITIES,
  ...ANSWER_CAPABILITIES,
  ...DELIVERY_CAPABILITIES,
  ...FILE_CAPABILITIES,
  ...INTERACTION_CAPABILITIES,
]);
