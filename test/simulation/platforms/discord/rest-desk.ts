import { parseAddress } from "@banyan/plugin-sdk";
import { compareSnowflakes } from "../../../../plugins/discord/src/snowflake.ts";
import type { Ground } from "../../world/ground.ts";
import type { Gate } from "./gate.ts";
import { addressOfRoom, BOT, formatChannel, formatMessage, type Room, type RoomMessage } from "./guild.ts";
import {
  ARCHIVED,
  CLOSED_DM,
  HAS_THREAD,
  LOCKED,
  OK,
  type RestAnswer,
  UNKNOWN_CHANNEL,
  UNKNOWN_MESSAGE,
} from "./rest-answer.ts";
import type { Rooms } from "./rooms.ts";
import { type Request, readIds } from "./route.ts";

const PAGE = 100;

/** What each call of the bot does on the platform, when nothing comes between. */
export class RestDesk {
  readonly #ground: Ground;
  readonly #rooms: Rooms;
  readonly #gate: Gate;
  /** By the words that a growing answer will have in the end: the part that it is then. */
  readonly #finals = new Map<string, NonNullable<Request["part"]>>();
  /** People who take no direct messages any more. */
  readonly closed: Set<string> = new Set<string>();

  constructor(ground: Ground, rooms: Rooms, gate: Gate) {
    this.#ground = ground;
    this.#rooms = rooms;
    this.#gate = gate;
  }

  /** A growing answer may become this part. */
  expectFinal(part: NonNullable<Request["part"]>, content: string): void {
    this.#finals.set(`${part.address} ${content.trim()}`, part);
  }

  /** Whichever call it was that failed: nobody writes there any more. */
  noteRefusal(part: NonNullable<Request["part"]>): void {
    const { chat, thread = chat } = parseAddress(part.address);
    const room = this.#rooms.find(thread);
    if (room === undefined || room.isLocked || this.closed.has(thread))
      this.#ground.observe({ type: "refused", row: request(part).row });
  }

  take(request: Request): RestAnswer {
    const { method, route } = request;
    if (route.startsWith("/guilds/")) return this.#lookAtGuild(route);
    const [channelId = "", messageId = ""] = readIds(route);
    const room = this.#rooms.find(channelId);
    if (room === undefined) return UNKNOWN_CHANNEL;
    if (route.endsWith("/threads")) return this.#openThread(room, messageId, request);
    if (messageId !== "") return this.#changeMessage(room, messageId, request);
    if (/\/threads\/archived\//.test(route)) return this.#listArchived(room, route);
    if (route.endsWith("/messages")) return method === "get" ? read(room, request) : this.#post(room, request);
    return method === "get" ? { kind: "ok", body: formatChannel(room) } : this.#changeRoom(room, request);
  }

  #lookAtGuild(route: string): RestAnswer {
    const list = (rooms: readonly Room[]) => rooms.map(formatChannel);
    if (route.endsWith("/channels")) return { kind: "ok", body: list(this.#rooms.listChannels()) };
    if (!route.endsWith("/active")) return { kind: "ok", body: { roles: [] } };
    const open = this.#rooms.listThreads().filter(({ isArchived }) => !isArchived);
    return { kind: "ok", body: { threads: list(open) } };
  }

  /** All threads of the town are public ones. */
  #listArchived(parent: Room, route: string): RestAnswer {
    const archived = this.#rooms.listThreads().filter(({ isArchived, place }) => {
      return isArchived && place.kind === "thread" && place.parentId === parent.place.channelId;
    });
    const threads = route.endsWith("/public") ? archived.map(formatChannel) : [];
    return { kind: "ok", body: { threads, has_more: false } };
  }

  #post(room: Room, { body, part }: Request): RestAnswer {
    if (room.isLocked) return LOCKED;
    if (this.closed.has(room.place.channelId)) return CLOSED_DM;
    const { content = "", nonce } = body;
    const message = this.#rooms.post(room, { authorId: BOT, content }, nonce);
    this.#reopen(room);
    if (part === undefined)
      this.#ground.observe({ type: "lined", chat: room.place.channelId, id: message.id, text: message.content });
    else this.#note(room, message, request(part));
    return { kind: "ok", body: formatMessage(room, message) };
  }

  /** A message of a delivery, or one that has become it. */
  #note(room: Room, message: RoomMessage, { row, part }: ReturnType<typeof request>): void {
    if (message.row === row) return;
    if (message.row !== undefined)
      this.#ground.break("I9", `${message.row} stands in the chat no more: ${row} was written over it`);
    message.row = row;
    const { kind } = part;
    const [mark = ""] = /^\(thread \w+\)\n/.exec(message.content) ?? [];
    const text = mark + part.text;
    const address = addressOfRoom(room);
    const chat = room.place.channelId;
    this.#ground.observe({ type: "posted", post: { row, account: "discord/grove", chat, address, kind, text } });
  }

  #openThread(parent: Room, starterId: string, { body }: Request): RestAnswer {
    const starter = parent.messages.find(({ id }) => id === starterId);
    if (starter === undefined) return UNKNOWN_MESSAGE;
    if (starter.thread !== undefined) return HAS_THREAD;
    starter.thread = starter.id;
    const thread = this.#rooms.openThread(parent, starter.id, body.name ?? "");
    this.#gate.tell("THREAD_CREATE", formatChannel(thread));
    return { kind: "ok", body: formatChannel(thread) };
  }

  #changeMessage(room: Room, id: string, { method, body }: Request): RestAnswer {
    const message = room.messages.find((one) => one.id === id);
    if (message === undefined) return UNKNOWN_MESSAGE;
    if (method === "delete") {
      this.#rooms.remove(room, id);
      return OK;
    }
    if (room.isArchived) return ARCHIVED;
    message.content = (body.content ?? "").trim();
    const part = this.#finals.get(`${addressOfRoom(room)} ${message.content}`);
    if (part !== undefined) this.#note(room, message, request(part));
    return { kind: "ok", body: formatMessage(room, message) };
  }

  #changeRoom(room: Room, { method, body }: Request): RestAnswer {
    if (method === "delete") {
      this.#rooms.close(room);
      this.#gate.tell("THREAD_DELETE", formatChannel(room));
      return OK;
    }
    if (room.isLocked) return LOCKED;
    this.#rooms.archive(room, body.archived ?? room.isArchived);
    room.name = body.name ?? room.name;
    this.#gate.tell("THREAD_UPDATE", formatChannel(room));
    return { kind: "ok", body: formatChannel(room) };
  }

  /** Who writes into an archived thread opens it again. */
  #reopen(room: Room): void {
    if (!room.isArchived) return;
    this.#rooms.archive(room, false);
    this.#gate.tell("THREAD_UPDATE", formatChannel(room));
  }
}

function request(part: NonNullable<Request["part"]>) {
  return { part, row: `${part.deliveryId}.${part.part}` };
}

function read(room: Room, { query = {} }: Request): RestAnswer {
  const { after, before } = query;
  const limit = Math.min(PAGE, Number(query.limit ?? PAGE));
  const found =
    after === undefined
      ? room.messages.filter(({ id }) => before === undefined || compareSnowflakes(id, before) < 0).slice(-limit)
      : room.messages.filter(({ id }) => compareSnowflakes(id, after) > 0).slice(0, limit);
  // The newest one first.
  return { kind: "ok", body: found.toReversed().map((message) => formatMessage(room, message)) };
}
