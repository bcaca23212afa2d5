import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import { GROUP_ANONYMOUS_BOT } from "../chats/system-account.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import { postMessage, postService } from "./room-post.ts";

/** A basic group becomes a supergroup with another id; each of the two says so, and the old one is closed. */
export function upgradeGroup(platform: Platform, group: Room, by: WireUser): Room {
  if (group.kind !== "group" || group.migratedTo !== undefined) {
    throw new EmulatorError("invalid_request", `upgrading ${group.title}: it is no basic group, or no longer`);
  }
  const supergroup = platform.rooms.add({ kind: "supergroup", title: group.title });
  for (const [id, membership] of group.members) supergroup.members.set(id, membership);
  supergroup.lastBotId = group.lastBotId;
  postService(platform, group, by, { migrate_to_chat_id: supergroup.id });
  group.migratedTo = supergroup.id;
  postMessage(platform, supergroup, {
    author: "user",
    text: "",
    entities: [],
    sender: { from: GROUP_ANONYMOUS_BOT, sender_chat: supergroup.profile },
    content: { migrate_from_chat_id: group.id },
    atMs: platform.clock.nowMs(),
  });
  return supergroup;
}
