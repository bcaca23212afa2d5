import type { InboundMessage } from "@banyan/plugin-sdk";
import { isDraftText } from "../../../../plugins/discord/src/sending/draft-text.ts";
import { compareSnowflakes } from "../../../../plugins/discord/src/snowflake.ts";
import { parseAccountState } from "../../../../plugins/discord/src/state/account-state.ts";
import type { Ground } from "../../world/ground.ts";
import type { Observation, ThreadBeginning } from "../../world/observation.ts";
import { Gate } from "./gate.ts";
import { addressOfRoom, BOT, CELLAR, formatChannel, GROVE, type Room, type RoomMessage } from "./guild.ts";
import { RestDesk } from "./rest-desk.ts";
import { RestDoor } from "./rest-door.ts";
import { Rooms } from "./rooms.ts";
import { readStarterMark } from "./starter.ts";

/** Where something is said: a number falls on one of the threads, if there are any. */
export type Spot = "dm" | "grove" | "cellar" | number;

/** What people do to a thread. */
export const THREAD_DEEDS = ["archive", "unarchive", "lock", "delete"] as const;
export type ThreadDeed = (typeof THREAD_DEEDS)[number];

export interface Spoken {
  readonly personId: string;
  readonly spot: Spot;
  readonly text: string;
}

/** The platform with threads: its server, its people's words, and the two ways to it. */
export class PlatformTown {
  readonly ground: Ground;
  readonly rooms: Rooms;
  readonly gate: Gate;
  readonly desk: RestDesk;
  readonly door: RestDoor;
  /** By address and id: what the account has to hear of, and has not stored yet. */
  readonly owed: Map<string, RoomMessage> = new Map<string, RoomMessage>();
  /** Direct chats of which the account has stored something, so that it can look there again. */
  readonly #knownDms = new Set<string>();
  /** The id of the first start, once it is stored: what was said before is nobody's business. */
  #since: string | undefined;

  constructor(ground: Ground) {
    this.ground = ground;
    this.rooms = new Rooms(ground);
    this.gate = new Gate(ground, this.rooms);
    this.desk = new RestDesk(ground, this.rooms, this.gate);
    this.door = new RestDoor(ground, this.rooms, this.desk);
    this.rooms.onShut = (room) => {
      for (const { id } of room.messages) this.owed.delete(`${addressOfRoom(room)} ${id}`);
    };
    ground.watch((seen) => this.#watch(seen));
  }

  /** A person writes. `undefined` where nobody may. */
  says({ personId, spot, text }: Spoken): Pick<InboundMessage, "id" | "address" | "at"> | undefined {
    const room = this.#findRoom(personId, spot);
    if (room === undefined || room.isLocked) return undefined;
    if (room.isArchived) this.changeThread(room, "unarchive");
    const message = this.rooms.post(room, { authorId: personId, content: text });
    const address = addressOfRoom(room);
    // A first direct message that comes while nobody listens is one that Discord tells nobody of.
    const isFound = room.place.kind !== "dm" || this.#knownDms.has(address);
    const isHeard = this.#since !== undefined && compareSnowflakes(message.id, this.#since) > 0;
    if (isHeard && isFound) this.owed.set(`${address} ${message.id}`, message);
    this.gate.tellMessage(room, message);
    return { id: message.id, address, at: this.ground.clock.platformNow() };
  }

  /** Comes once more over the gateway. */
  repeats({ address, id }: Pick<InboundMessage, "address" | "id">): void {
    const [room, message] = this.#findMessage(address, id);
    if (room !== undefined && message !== undefined) this.gate.tellMessage(room, message);
  }

  edits({ address, id }: Pick<InboundMessage, "address" | "id">): void {
    const [room, message] = this.#findMessage(address, id);
    // A command with more words behind it would be another one where it is read only later.
    if (room === undefined || !message?.content.includes("#m")) return;
    message.content = `${message.content} !`;
    this.gate.tellMessage(room, message, "MESSAGE_UPDATE");
  }

  touchThread(place: number, deed: ThreadDeed): void {
    const threads = this.rooms.listThreads();
    const room = threads[place % Math.max(1, threads.length)];
    if (room !== undefined) this.changeThread(room, deed);
  }

  changeThread(room: Room, deed: ThreadDeed): void {
    this.ground.trace.tell(() => `  ! people ${deed} the thread ${room.place.channelId}`);
    if (deed === "delete") {
      this.rooms.close(room);
      this.gate.tell("THREAD_DELETE", formatChannel(room));
      return;
    }
    this.rooms.archive(room, deed !== "unarchive");
    room.isLocked = deed === "lock";
    this.gate.tell("THREAD_UPDATE", formatChannel(room));
  }

  /** The server is out of order for a while. */
  failGuild(forMs: number): void {
    if (this.rooms.isOutOfOrder) return;
    this.ground.trace.tell(() => `  ! the server is out of order for ${Math.round(forMs)} ms`);
    this.gate.tellGuild(false);
    const untilMs = this.ground.clock.monotonic() + forMs;
    this.rooms.outageUntilMs = untilMs;
    this.ground.clock.schedule(forMs, () => {
      this.rooms.outageUntilMs = 0;
      this.gate.tellGuild(true);
    });
  }

  /** What stands in the channels for threads. */
  listBeginnings(): readonly ThreadBeginning[] {
    return this.rooms.listChannels().flatMap(({ messages }) =>
      messages.flatMap(({ content, authorId, thread = "" }) => {
        const mark = authorId === BOT ? readStarterMark(content) : undefined;
        return mark === undefined ? [] : { mark, hasOpenThread: this.rooms.find(thread)?.isArchived === false };
      }),
    );
  }

  /** A growing answer that stands in a chat; what stands in a locked thread can be changed by nobody. */
  findDraft(): RoomMessage | undefined {
    for (const { messages, isLocked } of this.rooms.listAll()) {
      if (isLocked) continue;
      const draft = messages.find(({ authorId, content }) => authorId === BOT && isDraftText(content));
      if (draft !== undefined) return draft;
    }
    return undefined;
  }

  #findRoom(personId: string, spot: Spot): Room | undefined {
    if (spot === "dm") return this.rooms.openDm(personId);
    if (typeof spot === "string") return this.rooms.find({ grove: GROVE, cellar: CELLAR }[spot]);
    const threads = this.rooms.listThreads();
    return threads[spot % Math.max(1, threads.length)] ?? this.rooms.find(GROVE);
  }

  #findMessage(address: string, id: string): readonly [Room | undefined, RoomMessage | undefined] {
    const chat = address.slice(address.lastIndexOf("/") + 1);
    const room = this.rooms.find(chat);
    return [room, room?.messages.find((message) => message.id === id && message.authorId !== BOT)];
  }

  #watch(seen: Observation): void {
    if (seen.type !== "step" || seen.step.step !== "receive" || seen.step.account.channel !== "discord") return;
    if (seen.result.status !== "done") return;
    this.#since ??= parseAccountState(seen.step.cursor).since;
    for (const { address, nativeId } of seen.step.items) {
      this.owed.delete(`${address} ${nativeId}`);
      this.#knownDms.add(address);
    }
  }
}
