/** The bot that an account speaks as. */
export interface BotIdentity {
  /** The account's name in the configuration. */
  readonly account: string;
  readonly id: number;
  /** Without the "@". */
  readonly username: string;
  /** Whether its private chats have topics. */
  readonly hasPrivateTopics: boolean;
}
