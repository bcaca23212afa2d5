/** The bot that an account speaks as. */
export interface BotIdentity {
  /** The account's name in the configuration. */
  readonly account: string;
  readonly botId: string;
  readonly applicationId: string;
  /** The roles that Discord made for the bot, one in each server that gave it permissions: a mention of one is meant for it. */
  readonly roleIds: ReadonlySet<string>;
}
