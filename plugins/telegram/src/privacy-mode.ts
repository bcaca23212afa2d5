/** Telegram asks when a bot is added what it may read there, so a group that has it does not notice the change. */
export const PRIVACY_CURE =
  "switch privacy off at @BotFather (/setprivacy) and add the bot to the group again, or make it an administrator there";
