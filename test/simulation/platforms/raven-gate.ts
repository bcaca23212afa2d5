import type { AccountName, Said } from "../events/person.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";

const LATENCY_MS = 40;
const OLD_EVENTS = 4;

export interface RavenEvent {
  /** Counted from 1. */
  readonly seq: number;
  readonly said: Said;
}

interface Connection {
  readonly guest: Guest;
  onEvent(event: RavenEvent): void;
  onClosed(): void;
  /** Events arrive in the order they were sent. */
  lastAtMs: number;
}

/** Events of one raven account: pushed over one connection, resumed by the number of the last one that was acknowledged. */
export class RavenGate {
  readonly #ground: Ground;
  readonly account: AccountName;
  readonly #events: RavenEvent[] = [];
  #acknowledged = 0;
  #connection: Connection | undefined;
  /** The next resume begins further back than asked for, in another order. */
  #isForgetful = false;
  /** The next resume is refused: the process must read the gap itself. */
  #hasLostSession = false;

  constructor(ground: Ground, account: AccountName) {
    this.#ground = ground;
    this.account = account;
  }

  get isEmpty(): boolean {
    return this.#acknowledged >= this.#events.length;
  }

  deliver(said: Said): void {
    const event = { seq: this.#events.length + 1, said };
    this.#events.push(event);
    if (this.#connection !== undefined) this.#push(this.#connection, event);
  }

  /** An event comes a second time. */
  repeat(said: Said): void {
    const event = this.#events.find((known) => known.said === said);
    if (event !== undefined && this.#connection !== undefined) this.#push(this.#connection, event);
  }

  /** The connection breaks. */
  drop(how: "resumes" | "forgetful" | "session_lost"): void {
    this.#isForgetful = how === "forgetful";
    this.#hasLostSession = how === "session_lost";
    const connection = this.#connection;
    this.#connection = undefined;
    connection?.guest.enter(() => connection.onClosed());
  }

  /** Resolves with whether the gap is sent by itself; if not, it is read by `readAfter`. */
  connect(
    guest: Guest,
    cursor: number | undefined,
    listener: Pick<Connection, "onEvent" | "onClosed">,
  ): Promise<boolean> {
    const { clock, random, outageUntilMs } = this.#ground;
    return new Promise((resolve, reject) => {
      if (guest.isDead || !guest.isLeader) return;
      clock.schedule(random.next() * LATENCY_MS, () => {
        if (guest.isDead || !guest.isLeader) return;
        if (clock.monotonic() < outageUntilMs) {
          guest.enter(() => reject(new Error("connection refused")));
          return;
        }
        const connection = { guest, ...listener, lastAtMs: clock.monotonic() };
        const isResumed = cursor !== undefined && !this.#hasLostSession;
        this.#connection = connection;
        if (cursor !== undefined) this.acknowledge(cursor);
        guest.enter(() => resolve(isResumed));
        if (isResumed) this.#resume(connection, cursor);
        this.#hasLostSession = false;
      });
    });
  }

  /** What came after the event, as a history tells it. */
  readAfter(guest: Guest, seq: number): Promise<readonly RavenEvent[]> {
    const { clock, random } = this.#ground;
    return new Promise((resolve) => {
      clock.schedule(random.next() * LATENCY_MS, () => {
        const events = this.#events.slice(seq);
        guest.enter(() => resolve(events));
      });
    });
  }

  acknowledge(seq: number): void {
    if (seq <= this.#acknowledged) return;
    const said = this.#events.slice(this.#acknowledged, seq).map((event) => event.said);
    this.#acknowledged = seq;
    this.#ground.observe({ type: "confirmed", said, moves: [] });
  }

  #resume(connection: Connection, cursor: number): void {
    const old = this.#isForgetful ? this.#events.slice(Math.max(0, cursor - OLD_EVENTS), cursor) : [];
    this.#isForgetful = false;
    for (const event of [...old.reverse(), ...this.#events.slice(cursor)]) this.#push(connection, event);
  }

  #push(connection: Connection, event: RavenEvent): void {
    const { clock, random } = this.#ground;
    const atMs = Math.max(connection.lastAtMs, clock.monotonic() + random.next() * LATENCY_MS);
    connection.lastAtMs = atMs;
    clock.schedule(atMs - clock.monotonic(), () => {
      if (this.#connection !== connection) return;
      connection.guest.enter(() => connection.onEvent(event));
    });
  }
}
