import type { GatewayTrouble } from "./gateway-trouble.ts";

/** The connection a session writes to while it has one. */
export interface SessionSocket {
  send(text: string): void;
  close(code: number, reason: string): void;
  /** Tears the connection without a close frame: the client sees 1006. */
  terminate(): void;
}

export interface SessionOptions {
  readonly id: string;
  readonly intents: number;
  /** How many dispatches can be replayed; older ones are forgotten, and a RESUME from before them is refused. */
  readonly replayLimit: number;
  readonly trouble: GatewayTrouble;
}

/** One gateway session: its sequence, what can be replayed, and its connection while there is one. */
export class Session {
  readonly id: string;
  readonly intents: number;
  socket: SessionSocket | undefined;
  /** When it lost its connection; undefined while it has one. */
  lostAtMs: number | undefined;
  readonly #replayLimit: number;
  readonly #trouble: GatewayTrouble;
  #frames: string[] = [];
  #seq = 0;

  constructor({ id, intents, replayLimit, trouble }: SessionOptions) {
    this.id = id;
    this.intents = intents;
    this.#replayLimit = replayLimit;
    this.#trouble = trouble;
  }

  get seq(): number {
    return this.#seq;
  }

  wants(intent: number): boolean {
    return intent === 0 || (this.intents & intent) !== 0;
  }

  /** `data` is JSON, so that one text serves all sessions that get the same. */
  dispatch(type: string, data: string): void {
    this.#seq += 1;
    const frame = `{"t":"${type}","s":${this.#seq},"op":0,"d":${data}}`;
    this.#frames.push(frame);
    if (this.#frames.length >= 2 * this.#replayLimit) this.#frames = this.#frames.slice(-this.#replayLimit);
    if (this.socket !== undefined) for (const each of this.#trouble.arrange(frame)) this.socket.send(each);
  }

  /** The dispatches after `seq` in order, or undefined where they are not all there (D46, D50). */
  findReplay(seq: number): readonly string[] | undefined {
    const missed = this.#seq - seq;
    if (missed < 0 || missed > Math.min(this.#frames.length, this.#replayLimit)) return undefined;
    return missed === 0 ? [] : this.#frames.slice(-missed);
  }
}
