import type { Signal } from "@banyan/emulator-kit";
import { Room, type RoomIdentity } from "../chats/room.ts";
import { EmulatorError } from "../ports/error.ts";

/** Basic groups have short negative ids. */
const FIRST_GROUP_ID = -4_010_000_000;
/** Supergroups and channels share one range, which needs 52 bits. */
const FIRST_SUPERGROUP_ID = -1_003_500_000_000;
const GREATEST_SUPERGROUP_ID = -1_000_000_000_000;

/** The rooms of one emulator, by id and by public name. */
export class RoomDirectory {
  readonly #byId = new Map<number, Room>();
  readonly #createSignal: () => Signal;
  readonly #isExact: boolean;

  constructor(createSignal: () => Signal, isExact: boolean) {
    this.#createSignal = createSignal;
    this.#isExact = isExact;
  }

  /** Takes the next free id if none is given. */
  add(spec: Omit<RoomIdentity, "id"> & { readonly id?: number }): Room {
    const first = spec.kind === "group" ? FIRST_GROUP_ID : FIRST_SUPERGROUP_ID;
    const id = spec.id ?? first - 1 - this.#byId.size;
    const isLong = id < GREATEST_SUPERGROUP_ID;
    if (id >= 0 || isLong === (spec.kind === "group") || !Number.isSafeInteger(id) || this.#byId.has(id)) {
      throw new EmulatorError(
        "invalid_request",
        `creating the ${spec.kind} ${spec.title}: its id ${id} is taken or of another kind; leave it out`,
      );
    }
    if (spec.username !== undefined && (spec.kind === "group" || this.find(`@${spec.username}`) !== undefined)) {
      throw new EmulatorError(
        "invalid_request",
        `creating the ${spec.kind} ${spec.title}: it cannot have the name @${spec.username}`,
      );
    }
    if (spec.isForum === true && spec.kind !== "supergroup") {
      throw new EmulatorError(
        "invalid_request",
        `creating the ${spec.kind} ${spec.title}: only supergroups have topics`,
      );
    }
    const room = new Room({ ...spec, id }, this.#createSignal(), this.#isExact);
    this.#byId.set(id, room);
    return room;
  }

  /** By id or by "@name". */
  find(name: number | string): Room | undefined {
    if (typeof name === "number") return this.#byId.get(name);
    const wanted = name.toLowerCase();
    return this.all().find(({ username }) => username !== undefined && `@${username.toLowerCase()}` === wanted);
  }

  get(id: number): Room {
    const room = this.find(id);
    if (room === undefined) throw new EmulatorError("unknown_chat", `finding room ${id}: create it first`);
    return room;
  }

  all(): Room[] {
    return [...this.#byId.values()];
  }
}
