import { isMember, type MemberStatus } from "../chats/membership.ts";
import type { WireUser } from "../chats/person.ts";
import type { Room } from "../chats/room.ts";
import type { Platform } from "../platform.ts";
import { EmulatorError } from "../ports/error.ts";
import { upgradeGroup } from "../rooms/group-upgrade.ts";
import { changeMembership } from "../rooms/membership-change.ts";
import { announceEdit, postMessage, postService } from "../rooms/room-post.ts";
import { changeTopic, checkWritable, getTopic, listTopics } from "./local-topic-control.ts";
import { parsePersonLine, parseWords } from "./person-line.ts";
import type { PostEdit, RoomAction, RoomControl, RoomLine, RoomSpec, RoomState } from "./room-control.ts";
import { buildRoomSender } from "./room-sender.ts";

export function createLocalRoomControl(platform: Platform): RoomControl {
  const { rooms } = platform;
  return {
    createRoom: async (spec) => buildRoomState(createRoom(platform, spec)),
    readRooms: async ({ chatId, memberId }) =>
      rooms
        .all()
        .filter((room) => chatId === undefined || room.id === chatId)
        .filter((room) => memberId === undefined || isMember(room.members.get(memberId)))
        .map((room) => ({ ...buildRoomState(room), messages: room.messages() })),
    actInRoom: async (action) => buildRoomState(actInRoom(platform, rooms.get(action.chatId), action)),
    postLines: async (lines) => lines.map((line) => postLine(platform, line)),
    editPost: async (edit) => editPost(platform, edit),
    awaitRoom: async ({ chatId, afterSeq, timeoutMs }) => {
      const room = rooms.get(chatId);
      await room.changed.until(() => room.lastSeq > afterSeq, timeoutMs);
      return room.eventsAfter(afterSeq);
    },
  };
}

function buildRoomState(room: Room): RoomState {
  return {
    chatId: room.id,
    kind: room.kind,
    title: room.title,
    ...(room.username !== undefined && { username: room.username }),
    members: [...room.members.values()].map(({ user, status }) => ({
      id: user.id,
      firstName: user.first_name,
      isBot: user.is_bot,
      status,
    })),
    topics: listTopics(room),
    ...(room.migratedTo !== undefined && { migratedTo: room.migratedTo }),
  };
}

/** The bots of a basic group are in it when it is created; to the others they are added afterwards. */
function createRoom(platform: Platform, spec: RoomSpec): Room {
  const { creatorId, memberIds = [], botIds = [], ...identity } = spec;
  const creator = platform.getPerson(creatorId).profile;
  const people = memberIds.map((id) => platform.getPerson(id).profile);
  const bots = botIds.map((id) => platform.bots.get(id));
  const room = platform.rooms.add(identity);
  const usual = { rights: {}, isAnonymous: false };
  for (const user of people) room.members.set(user.id, { user, status: "member", ...usual });
  room.members.set(creator.id, { user: creator, status: "creator", ...usual });
  if (room.kind !== "group") postService(platform, room, creator, { [`${room.kind}_chat_created`]: true });
  const status = room.kind === "channel" ? "administrator" : "member";
  for (const { profile } of bots) {
    checkStanding(platform, room, profile, status);
    changeMembership(platform, room, { member: profile, by: creator, status, isUnannounced: room.kind === "group" });
  }
  if (room.kind === "group") postService(platform, room, creator, { group_chat_created: true });
  return room;
}

function actInRoom(platform: Platform, room: Room, action: RoomAction): Room {
  switch (action.action) {
    case "set-member":
      setMember(platform, room, action);
      return room;
    case "rename":
      room.title = action.title;
      postService(platform, room, platform.getAccount(action.byId), { new_chat_title: action.title });
      return room;
    case "pin": {
      const { reply_to_message: _, ...pinned } = room.buildWire(getMessage(room, action.messageId));
      postService(platform, room, platform.getAccount(action.byId), { pinned_message: pinned });
      return room;
    }
    case "delete-message":
      room.delete(getMessage(room, action.messageId), platform.clock.nowMs());
      return room;
    case "upgrade":
      return upgradeGroup(platform, room, platform.getAccount(action.byId));
    case "delete":
      room.isDeleted = true;
      return room;
    case "link": {
      const channel = platform.rooms.get(action.channelId);
      if (room.kind !== "supergroup" || channel.kind !== "channel") {
        throw new EmulatorError("invalid_request", `linking ${room.title}: a supergroup is linked with a channel`);
      }
      room.linkedId = channel.id;
      channel.linkedId = room.id;
      return room;
    }
    default:
      changeTopic(platform, room, action);
      return room;
  }
}

function setMember(platform: Platform, room: Room, action: RoomAction & { readonly action: "set-member" }): void {
  const { memberId, byId = memberId, chatId: _, action: __, ...standing } = action;
  const member = platform.getAccount(memberId);
  checkStanding(platform, room, member, standing.status);
  changeMembership(platform, room, { member, by: platform.getAccount(byId), ...standing });
}

/** What Telegram's apps do not offer is a mistake of the test. */
function checkStanding(platform: Platform, room: Room, member: WireUser, status: MemberStatus): void {
  const refuse = (reason: string): EmulatorError =>
    new EmulatorError("invalid_request", `making ${member.first_name} ${status} of ${room.title}: ${reason}`);
  if (status === "restricted" && room.kind !== "supergroup") throw refuse("only supergroups restrict single members");
  if (room.kind === "channel" && member.is_bot && status === "member") throw refuse("a bot administers a channel");
  const goes = status === "left" || status === "kicked";
  if (!goes && platform.bots.find(member.id)?.abilities.can_join_groups === false) {
    throw refuse("the bot can't join groups");
  }
}

function postLine(platform: Platform, line: RoomLine): number {
  const room = platform.rooms.get(line.chatId);
  const account = platform.getAccount(line.authorId);
  const sender = buildRoomSender(platform, room, account, line.guise);
  const draft = parsePersonLine(platform, room, line);
  const thread = line.topicId !== undefined && { message_thread_id: line.topicId };
  if (line.topicId !== undefined) checkWritable(room, account, getTopic(room, line.topicId));
  const author = account.is_bot ? "bot" : "user";
  const atMs = platform.clock.nowMs();
  return postMessage(platform, room, {
    author,
    ...draft,
    ...(thread && { extra: { ...draft.extra, ...thread } }),
    authorId: account.id,
    sender,
    atMs,
  }).messageId;
}

function editPost(platform: Platform, { chatId, authorId, messageId, text: words }: PostEdit): void {
  const room = platform.rooms.get(chatId);
  const message = getMessage(room, messageId);
  if (message.authorId !== authorId) {
    throw new EmulatorError("unknown_message", `editing message ${messageId}: it is not one of ${authorId}`);
  }
  const { text, entities } = parseWords(platform, { text: words });
  announceEdit(platform, room, room.edit(message, text, entities, undefined, platform.clock.nowMs()));
}

function getMessage(room: Room, messageId: number): ReturnType<Room["messages"]>[number] {
  const message = room.find(messageId);
  if (message !== undefined) return message;
  throw new EmulatorError("unknown_message", `finding message ${messageId}: ${room.title} has no such message`);
}
