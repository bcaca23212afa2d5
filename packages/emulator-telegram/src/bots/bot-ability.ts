import { z } from "zod";

/** What BotFather switches on and getMe tells, by the Bot API's names. */
export interface BotAbilities {
  readonly can_join_groups: boolean;
  /** Whether privacy mode is off. */
  readonly can_read_all_group_messages: boolean;
  readonly supports_guest_queries: boolean;
  readonly supports_inline_queries: boolean;
  readonly can_connect_to_business: boolean;
  readonly has_main_web_app: boolean;
  readonly has_topics_enabled: boolean;
  readonly allows_users_to_create_topics: boolean;
  readonly can_manage_bots: boolean;
  readonly supports_join_request_queries: boolean;
}

export const NEW_BOT_ABILITIES: BotAbilities = {
  can_join_groups: true,
  can_read_all_group_messages: false,
  supports_guest_queries: false,
  supports_inline_queries: false,
  can_connect_to_business: false,
  has_main_web_app: false,
  has_topics_enabled: false,
  allows_users_to_create_topics: false,
  can_manage_bots: false,
  supports_join_request_queries: false,
};

/** As type and schema have to agree key by key, the partial one is spelt by the type. */
export type SomeBotAbilities = { readonly [Name in keyof BotAbilities]?: boolean };

const flag = z.boolean().exactOptional();

export const botAbilitiesSchema: z.ZodType<SomeBotAbilities> = z.strictObject({
  can_join_groups: flag,
  can_read_all_group_messages: flag,
  supports_guest_queries: flag,
  supports_inline_queries: flag,
  can_connect_to_business: flag,
  has_main_web_app: flag,
  has_topics_enabled: flag,
  allows_users_to_create_topics: flag,
  can_manage_bots: flag,
  supports_join_request_queries: flag,
});
