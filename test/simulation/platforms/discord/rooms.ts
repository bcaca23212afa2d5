import { readSnowflakeTime } from "../../../../plugins/discord/src/snowflake.ts";
import type { Ground } from "../../world/ground.ts";
import { CELLAR, createRoom, GROVE, GUILD, type Room, type RoomMessage } from "./guild.ts";

/** Discord's count of milliseconds begins here ("Snowflakes", docs.discord.com/developers/reference). */
const EPOCH_MS = readSnowflakeTime("0");
const TIME_SHIFT_BITS = 22n;

/**
 * For so long the platform knows a nonce: "a few minutes" by its documentation, so nobody may count on more than the sixty
 * seconds that the plugin trusts it for.
 */
const NONCE_WINDOW_MS = 90_000;

/** Everything that stands on the platform. It outlives every guest. */
export class Rooms {
  readonly #ground: Ground;
  readonly #rooms = new Map<string, Room>();
  readonly #nonces = new Map<string, { readonly id: string; readonly atMs: number }>();
  #ids = 0n;
  /** Called when a thread is put away or is gone: what nobody has read there by then is found by nobody. */
  onShut: (room: Room) => void = () => undefined;
  /** The server is out of order until then. */
  outageUntilMs = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
    for (const [channelId, name] of [
      [GROVE, "grove"],
      [CELLAR, "cellar"],
    ] as const)
      this.#rooms.set(channelId, createRoom({ kind: "channel", channelId, guildId: GUILD }, name));
  }

  get isOutOfOrder(): boolean {
    return this.#ground.clock.monotonic() < this.outageUntilMs;
  }

  find(id: string): Room | undefined {
    return this.#rooms.get(id);
  }

  /** The direct chat with a person. */
  openDm(personId: string): Room {
    const known = this.#rooms.get(personId);
    if (known !== undefined) return known;
    const room = createRoom({ kind: "dm", channelId: personId }, personId);
    this.#rooms.set(personId, room);
    return room;
  }

  listAll(): Iterable<Room> {
    return this.#rooms.values();
  }

  listChannels(): readonly Room[] {
    return [...this.#rooms.values()].filter(({ place }) => place.kind === "channel");
  }

  listThreads(): readonly Room[] {
    return [...this.#rooms.values()].filter(({ place }) => place.kind === "thread");
  }

  /** A new message, or with a nonce that is known the one that has it. */
  post(room: Room, given: Omit<RoomMessage, "id">, nonce?: string): RoomMessage {
    const { clock } = this.#ground;
    const key = `${room.place.channelId} ${nonce}`;
    const known = nonce === undefined ? undefined : this.#nonces.get(key);
    const standing =
      known !== undefined && clock.monotonic() - known.atMs < NONCE_WINDOW_MS
        ? room.messages.find(({ id }) => id === known.id)
        : undefined;
    if (standing !== undefined) return standing;
    const message = { ...given, content: given.content.trim(), id: this.mint() };
    room.messages.push(message);
    if (nonce !== undefined) this.#nonces.set(key, { id: message.id, atMs: clock.monotonic() });
    return message;
  }

  remove(room: Room, id: string): boolean {
    const at = room.messages.findIndex((message) => message.id === id);
    if (at >= 0) room.messages.splice(at, 1);
    return at >= 0;
  }

  openThread(parent: Room, id: string, name: string): Room {
    const room = createRoom({ kind: "thread", channelId: id, parentId: parent.place.channelId, guildId: GUILD }, name);
    this.#rooms.set(id, room);
    return room;
  }

  close(room: Room): void {
    this.#rooms.delete(room.place.channelId);
    this.onShut(room);
  }

  archive(room: Room, isArchived: boolean): void {
    room.isArchived = isArchived;
    if (isArchived) this.onShut(room);
  }

  /** Ids grow with the platform's time. */
  mint(): string {
    this.#ids += 1n;
    const ms = BigInt(this.#ground.clock.platformNow() - EPOCH_MS);
    return String((ms << TIME_SHIFT_BITS) + (this.#ids & 0x3fffffn));
  }
}
