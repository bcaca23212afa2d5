import type { WireUser } from "./person.ts";

/** Telegram's own accounts: servers that know no sender_chat are shown these as the sender. */

/** An administrator who hides behind the group. */
export const GROUP_ANONYMOUS_BOT: WireUser = {
  id: 1_087_968_824,
  is_bot: true,
  first_name: "Group",
  username: "GroupAnonymousBot",
};

/** Someone who writes in a group as a channel. */
export const CHANNEL_BOT: WireUser = { id: 136_817_688, is_bot: true, first_name: "Channel", username: "Channel_Bot" };

/** Who forwards a channel's posts into its discussion group. */
export const TELEGRAM_ACCOUNT: WireUser = { id: 777_000, is_bot: false, first_name: "Telegram" };
