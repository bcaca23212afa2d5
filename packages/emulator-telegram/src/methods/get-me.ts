import { accept } from "../answers/answer.ts";
import type { Method } from "./method.ts";

export const getMe: Method = ({ bot, read }) =>
  read.refusal() ??
  accept({
    ...bot.profile,
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
  });
