import { buildChatMember, isAdministrator, isMember, type MemberStatus, type Membership } from "../chats/membership.ts";
import { toSeconds } from "../chats/message.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import type { Platform } from "../platform.ts";
import { postService } from "./room-post.ts";

export interface MemberChange {
  readonly member: WireUser;
  readonly by: WireUser;
  readonly status: MemberStatus;
  readonly rights?: Readonly<Record<string, boolean>>;
  readonly isAnonymous?: boolean;
  readonly customTitle?: string;
  /** Whether no service message tells it, as of those who are in a new basic group from the beginning. */
  readonly isUnannounced?: boolean;
}

/**
 * Gives someone a new standing: my_chat_member to a bot it concerns, chat_member to bots that administer the room, and
 * in groups the service message of who came or went. Who goes still gets that message.
 */
export function changeMembership(platform: Platform, room: Room, change: MemberChange): void {
  const { member, by, status } = change;
  const old = room.members.get(member.id) ?? { user: member, status: "left", rights: {}, isAnonymous: false };
  const next: Membership = {
    user: member,
    status,
    rights: change.rights ?? {},
    isAnonymous: change.isAnonymous ?? false,
    ...(change.customTitle !== undefined && { customTitle: change.customTitle }),
  };
  const goes = isMember(old) && !isMember(next);
  const comes = !isMember(old) && isMember(next);
  const isTold = room.kind !== "channel" && change.isUnannounced !== true;
  if (goes && isTold) postService(platform, room, by, { left_chat_member: member });
  room.members.set(member.id, next);
  notifyBots(platform, room, old, next, by);
  if (comes && isTold) postService(platform, room, by, { new_chat_members: [member] });
}

function notifyBots(platform: Platform, room: Room, old: Membership, next: Membership, by: WireUser): void {
  const update = {
    chat: room.profile,
    from: by,
    date: toSeconds(platform.clock.nowMs()),
    old_chat_member: buildChatMember(old, room.kind),
    new_chat_member: buildChatMember(next, room.kind),
  };
  for (const bot of platform.bots.all()) {
    if (bot.id === next.user.id) bot.notify("my_chat_member", update);
    else if (isAdministrator(room.members.get(bot.id))) bot.notify("chat_member", update);
  }
}
