import type { DiscordMember, DiscordUser } from "./discord-message.ts";

/**
 * A command, an autocompletion or a press of a button as Discord sends it, of which only what is looked at here is kept,
 * under Discord's own names. Absent, null and unreadable parts are all `undefined`.
 */
export interface DiscordInteraction {
  readonly id: string;
  readonly application_id: string | undefined;
  /** 1: ping, 2: command, 3: button or menu, 4: autocompletion ("Interaction Type"). */
  readonly type: number;
  /** Answers it, for 15 minutes. A secret. */
  readonly token: string | undefined;
  readonly guild_id: string | undefined;
  readonly channel_id: string | undefined;
  readonly channel: InteractionChannel | undefined;
  /** In servers. */
  readonly member: InteractionMember | undefined;
  /** In DMs. */
  readonly user: DiscordUser | undefined;
  readonly message: { readonly id: string } | undefined;
  readonly data: InteractionData | undefined;
  /** 2: a place where the bot is not ("Interaction Context Types"). */
  readonly context: number | undefined;
}

export interface InteractionMember extends DiscordMember {
  readonly user: DiscordUser | undefined;
}

export interface InteractionChannel {
  readonly id: string;
  readonly type: number | undefined;
  readonly parent_id: string | undefined;
}

export interface InteractionData {
  /** Of a command. */
  readonly name: string | undefined;
  /** 1: typed with a slash ("Application Command Types"). */
  readonly type: number | undefined;
  readonly options: readonly InteractionOption[];
  /** Of a button or menu. */
  readonly custom_id: string | undefined;
  /** 2: a button ("Component Types"). */
  readonly component_type: number | undefined;
}

export interface InteractionOption {
  readonly name: string;
  readonly value: string | number | boolean | undefined;
  /** It is being typed. */
  readonly focused: boolean | undefined;
}
