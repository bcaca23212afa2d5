import type { WireFields } from "./message.ts";
import type { WireUser } from "./person.ts";

/** How someone stands to a room, in the Bot API's words. */
export const MEMBER_STATUSES = ["creator", "administrator", "member", "restricted", "left", "kicked"] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];
export type RoomKind = "group" | "supergroup" | "channel";

/** One person's or bot's standing in a room. */
export interface Membership {
  readonly user: WireUser;
  readonly status: MemberStatus;
  /** Rights by their names in the Bot API, where they differ from what the status brings. */
  readonly rights: Readonly<Record<string, boolean>>;
  /** An administrator whose messages show as the group's. */
  readonly isAnonymous: boolean;
  readonly customTitle?: string;
}

const ADMINISTRATOR_RIGHTS = {
  can_manage_chat: true,
  can_delete_messages: true,
  can_manage_video_chats: true,
  can_restrict_members: true,
  can_promote_members: false,
  can_change_info: true,
  can_invite_users: true,
  can_post_stories: true,
  can_edit_stories: true,
  can_delete_stories: true,
};
const CHANNEL_RIGHTS = { can_post_messages: true, can_edit_messages: true };
const GROUP_RIGHTS = { can_pin_messages: true, can_manage_topics: false };
const RESTRICTED_RIGHTS = {
  can_send_messages: false,
  can_send_audios: false,
  can_send_documents: false,
  can_send_photos: false,
  can_send_videos: false,
  can_send_video_notes: false,
  can_send_voice_notes: false,
  can_send_polls: false,
  can_send_other_messages: false,
  can_add_web_page_previews: false,
  can_react_to_messages: false,
  can_edit_tag: false,
  can_change_info: false,
  can_invite_users: false,
  can_pin_messages: false,
  can_manage_topics: false,
};

/** Whether one is in the room. */
export function isMember(membership: Membership | undefined): membership is Membership {
  return membership !== undefined && membership.status !== "left" && membership.status !== "kicked";
}

export function isAdministrator(membership: Membership | undefined): boolean {
  return membership?.status === "creator" || membership?.status === "administrator";
}

/** Whether an administrator or a restricted member has the right; a creator has all, a plain member none of these. */
export function hasRight(membership: Membership, kind: RoomKind, right: string): boolean {
  if (membership.status === "creator") return true;
  return new Map<string, unknown>(Object.entries(listRights(membership, kind))).get(right) === true;
}

/** A ChatMember of the Bot API. */
export function buildChatMember(membership: Membership, kind: RoomKind): WireFields {
  const { user, status, isAnonymous, customTitle } = membership;
  const title = customTitle !== undefined && { custom_title: customTitle };
  const rights = listRights(membership, kind);
  switch (status) {
    case "creator":
      return { user, status, is_anonymous: isAnonymous, ...title };
    case "administrator":
      return { user, status, can_be_edited: false, is_anonymous: isAnonymous, ...rights, ...title };
    case "restricted":
      return { user, status, is_member: true, ...rights, until_date: 0 };
    case "kicked":
      return { user, status, until_date: 0 };
    default:
      return { user, status };
  }
}

function listRights({ status, rights }: Membership, kind: RoomKind): WireFields {
  if (status === "restricted") return { ...RESTRICTED_RIGHTS, ...rights };
  if (status !== "administrator") return {};
  return { ...ADMINISTRATOR_RIGHTS, ...(kind === "channel" ? CHANNEL_RIGHTS : GROUP_RIGHTS), ...rights };
}
