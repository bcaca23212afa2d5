import type { Ground } from "../../world/ground.ts";
import type { Guest } from "../../world/guest.ts";
import { formatChannel, formatMessage, GUILD, type Room, type RoomMessage } from "./guild.ts";
import type { Rooms } from "./rooms.ts";

const LATENCY_MS = 40;
/** What was sent before these is not sent again. */
const MOST_KEPT = 25;
const OLD_EVENTS = 3;
/** A message that others go before comes after this at the latest. */
const HELD_MS = 400;

export interface Dispatch {
  readonly t: string;
  /** Counted from 1. */
  readonly s: number;
  readonly d: object;
}

/** What comes over a connection. `invalid`: the session that was to go on is none. */
export type Frame =
  | { readonly kind: "dispatch"; readonly dispatch: Dispatch }
  | { readonly kind: "resumed" | "invalid" | "closed" };

export interface Resumption {
  readonly id: string;
  /** The number of the last event that is known. */
  readonly seq: number;
}

/** `reorders`: the next message comes behind the one after it. */
export type GateTrouble = "resumes" | "forgetful" | "session_lost" | "reorders";

interface Session {
  readonly id: string;
  readonly events: Dispatch[];
  seq: number;
}

interface Connection {
  readonly guest: Guest;
  onFrame(frame: Frame): void;
  /** Frames arrive in the order they were sent. */
  lastAtMs: number;
}

/** The gateway: one session at a time, whose events have numbers and are sent again to whoever resumes it. */
export class Gate {
  readonly #ground: Ground;
  readonly #rooms: Rooms;
  #session: Session | undefined;
  #connection: Connection | undefined;
  #sessions = 0;
  #isForgetful = false;
  #reorders = false;
  #held: (() => void) | undefined;

  constructor(ground: Ground, rooms: Rooms) {
    this.#ground = ground;
    this.#rooms = rooms;
  }

  /** What the server's people do. While it is out of order nobody is told. */
  tell(t: string, d: object): void {
    if (!this.#rooms.isOutOfOrder) this.#dispatch(t, d);
  }

  tellMessage(room: Room, message: RoomMessage, t: "MESSAGE_CREATE" | "MESSAGE_UPDATE" = "MESSAGE_CREATE"): void {
    if (room.place.kind !== "dm" && this.#rooms.isOutOfOrder) return;
    const isGuild = room.place.kind !== "dm";
    const payload = {
      ...formatMessage(room, message),
      ...(isGuild && { guild_id: GUILD, member: { roles: [] } }),
      ...(t === "MESSAGE_UPDATE" && { edited_timestamp: new Date(this.#ground.clock.platformNow()).toISOString() }),
    };
    const send = () => this.#dispatch(t, payload);
    if (this.#reorders && this.#held === undefined) {
      this.#reorders = false;
      this.#held = send;
      this.#ground.clock.schedule(HELD_MS, () => this.#release());
      return;
    }
    send();
    this.#release();
  }

  /** The server is out of order, or is back with all that it holds. */
  tellGuild(isBack: boolean): void {
    if (isBack) this.#dispatch("GUILD_CREATE", this.#describeGuild());
    else this.#dispatch("GUILD_DELETE", { id: GUILD, unavailable: true });
  }

  trouble(how: GateTrouble): void {
    if (how === "reorders") {
      this.#reorders = true;
      return;
    }
    this.#isForgetful = how === "forgetful";
    if (how === "session_lost") this.#session = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.guest.enter(() => connection.onFrame({ kind: "closed" }));
  }

  /** The answer comes as frames: what was missed and `resumed`, or READY and what follows it. */
  connect(guest: Guest, resumption: Resumption | undefined, onFrame: Connection["onFrame"]): void {
    const { clock, random } = this.#ground;
    if (guest.isDead || !guest.isLeader) return;
    clock.schedule(random.next() * LATENCY_MS, () => {
      if (guest.isDead || !guest.isLeader) return;
      const connection = { guest, onFrame, lastAtMs: clock.monotonic() };
      if (clock.monotonic() < this.#ground.outageUntilMs) {
        guest.enter(() => onFrame({ kind: "closed" }));
        return;
      }
      if (resumption === undefined) this.#begin(connection);
      else if (this.#knows(resumption)) this.#resume(connection, resumption.seq);
      else this.#push(connection, { kind: "invalid" }, () => true);
    });
  }

  #knows({ id, seq }: Resumption): boolean {
    const session = this.#session;
    const [oldest] = session?.events ?? [];
    return session?.id === id && seq <= session.seq && (oldest?.s ?? 1) <= seq + 1;
  }

  #begin(connection: Connection): void {
    this.#sessions += 1;
    const id = `session ${this.#sessions}`;
    this.#session = { id, seq: 0, events: [] };
    this.#connection = connection;
    const guilds = [{ id: GUILD, unavailable: true }];
    this.#dispatch("READY", { session_id: id, resume_gateway_url: "wss://nowhere", guilds });
    if (!this.#rooms.isOutOfOrder) this.#dispatch("GUILD_CREATE", this.#describeGuild());
  }

  #resume(connection: Connection, seq: number): void {
    this.#connection = connection;
    const events = this.#session?.events ?? [];
    for (const dispatch of events.filter(({ s }) => s > seq)) this.#send(connection, dispatch);
    this.#push(connection, { kind: "resumed" });
    if (!this.#isForgetful) return;
    this.#isForgetful = false;
    // What was told already comes once more, in another order.
    const old = events.filter(({ t, s }) => t === "MESSAGE_CREATE" && s <= seq).slice(-OLD_EVENTS);
    for (const { t, d } of old.reverse()) this.#dispatch(t, d);
  }

  #dispatch(t: string, d: object): void {
    const session = this.#session;
    if (session === undefined) return;
    session.seq += 1;
    const dispatch = { t, d, s: session.seq };
    session.events.push(dispatch);
    if (session.events.length > MOST_KEPT) session.events.shift();
    if (this.#connection !== undefined) this.#send(this.#connection, dispatch);
  }

  #send(connection: Connection, dispatch: Dispatch): void {
    this.#push(connection, { kind: "dispatch", dispatch });
  }

  #push(connection: Connection, frame: Frame, isHeard = () => this.#connection === connection): void {
    const { clock, random } = this.#ground;
    const atMs = Math.max(connection.lastAtMs, clock.monotonic() + random.next() * LATENCY_MS);
    connection.lastAtMs = atMs;
    clock.schedule(atMs - clock.monotonic(), () => {
      if (isHeard()) connection.guest.enter(() => connection.onFrame(frame));
    });
  }

  #release(): void {
    const held = this.#held;
    this.#held = undefined;
    held?.();
  }

  #describeGuild(): object {
    return {
      id: GUILD,
      channels: this.#rooms.listChannels().map(formatChannel),
      threads: this.#rooms
        .listThreads()
        .filter(({ isArchived }) => !isArchived)
        .map(formatChannel),
      roles: [],
    };
  }
}
