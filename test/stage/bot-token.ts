/** A token of the form that Telegram gives, of no bot anywhere. */
export const BOT_TOKEN = "123456:abcdefghijklmnopqrstuvwxyzABCDEFGHI";
