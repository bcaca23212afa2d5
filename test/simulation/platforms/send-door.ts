import {
  type Address,
  ChannelError,
  type DeliveryReceipt,
  type OutboundMessage,
  parseAddress,
} from "@banyan/plugin-sdk";
import type { AccountName } from "../events/person.ts";
import type { SendFault } from "../world/fault-box.ts";
import type { Ground } from "../world/ground.ts";
import type { Guest } from "../world/guest.ts";
import { SECRET } from "../world/secret.ts";

const LATENCY_MS = 120;
const LIMIT_MS = 20_000;
const PACE_MS = 150;
/** As the host tells a code for linking accounts. */
const CODE = /(?<=Your code is \*\*)[0-9A-Z-]+(?=\*\*)/;

/** Where the platform of one account takes messages. It outlives every guest. */
export class SendDoor {
  readonly #ground: Ground;
  readonly #account: AccountName;
  /** Knows a message by its key, so that the same one stands there once. */
  readonly #hasKeys: boolean;
  readonly #platformIds = new Map<string, string>();
  readonly #gone = new Set<string>();
  readonly #limits = new Map<string, number>();
  readonly #moved = new Map<string, Address>();
  readonly #codes = new Map<string, string>();
  readonly #nextPlaces = new Map<string, number>();
  #posts = 0;

  constructor(ground: Ground, account: AccountName, hasKeys: boolean) {
    this.#ground = ground;
    this.#account = account;
    this.#hasKeys = hasKeys;
  }

  /** The chat lives on elsewhere. */
  move(chat: string, to: Address): void {
    this.#moved.set(chat, to);
  }

  /** The last code that people read in the chat. */
  findCode(chat: string): string | undefined {
    return this.#codes.get(chat);
  }

  /** The platform's published pace: one message in that time for each chat of a process. */
  pace(guest: Guest, address: Address): number {
    const { clock } = this.#ground;
    const key = `${guest.number} ${address}`;
    const waitMs = (this.#nextPlaces.get(key) ?? 0) - clock.monotonic();
    const isGranted = waitMs <= 0;
    if (isGranted) this.#nextPlaces.set(key, clock.monotonic() + PACE_MS);
    this.#ground.observe({ type: "paced", process: guest, address, isGranted });
    return Math.max(0, waitMs);
  }

  /** One request of a process. What it is answered reaches the process only while that lives. */
  send(guest: Guest, message: OutboundMessage): Promise<DeliveryReceipt> {
    const { clock, random } = this.#ground;
    const row = `${message.deliveryId}.${message.part}`;
    const { chat } = parseAddress(message.address);
    // A guest that was cut off reaches nobody.
    if (guest.isDead) return new Promise(() => undefined);
    if (!guest.isLeader)
      return this.#answer(guest, () => {
        throw definite("the connection is with a younger guest");
      });
    this.#ground.observe({
      type: "request",
      process: guest,
      row,
      account: this.#account,
      chat,
      address: message.address,
    });
    const { promise, resolve, reject } = Promise.withResolvers<DeliveryReceipt>();
    clock.schedule(random.next() * LATENCY_MS, () => {
      // A request of a process that died on the way may never have left its machine.
      if (guest.isDead && random.chance(0.5)) return;
      const end = this.#take(guest, message, row, chat);
      if (end === undefined) return;
      clock.schedule(random.next() * LATENCY_MS, () =>
        guest.enter(() => {
          try {
            resolve(end());
          } catch (error) {
            reject(error);
          }
        }),
      );
    });
    return promise;
  }

  #answer(guest: Guest, end: () => DeliveryReceipt): Promise<DeliveryReceipt> {
    const { promise, resolve, reject } = Promise.withResolvers<DeliveryReceipt>();
    this.#ground.clock.schedule(1, () =>
      guest.enter(() => {
        try {
          resolve(end());
        } catch (error) {
          reject(error);
        }
      }),
    );
    return promise;
  }

  /** What the platform does with it; the function is how the process gets to know. `undefined`: never. */
  #take(guest: Guest, message: OutboundMessage, row: string, chat: string): (() => DeliveryReceipt) | undefined {
    const standing = this.#findRefusal(guest, row, chat);
    if (standing !== undefined) return standing;
    const fault = this.#ground.faults.takeSend(this.#account);
    if (fault !== undefined) this.#ground.trace.tell(() => `  ! ${this.#account} ${fault} ${row}`);
    return fault === undefined ? this.#confirm(message, row, chat) : this.#spoil(fault, guest, message, row, chat);
  }

  #findRefusal(guest: Guest, row: string, chat: string): (() => DeliveryReceipt) | undefined {
    const { clock } = this.#ground;
    if (this.#gone.has(chat)) return this.#refuse(row);
    const migratedTo = this.#moved.get(chat);
    if (migratedTo !== undefined)
      return () => {
        throw new ChannelError("migrated", "A message was sent: the chat has moved", { migratedTo });
      };
    if (clock.monotonic() < this.#ground.outageUntilMs) {
      const isClear = this.#ground.random.chance(0.5);
      return () => {
        throw isClear ? definite("connection refused") : ambiguous("502");
      };
    }
    for (const scope of [chat, undefined]) {
      const untilMs = this.#limits.get(scope ?? "");
      if (untilMs !== undefined && clock.monotonic() < untilMs) return this.#limit(guest, row, scope, untilMs);
    }
    return undefined;
  }

  #spoil(
    fault: SendFault,
    guest: Guest,
    message: OutboundMessage,
    row: string,
    chat: string,
  ): (() => DeliveryReceipt) | undefined {
    const { clock, random } = this.#ground;
    const untilMs = clock.monotonic() + random.next() * LIMIT_MS;
    switch (fault) {
      case "chat_limit":
        return this.#limit(guest, row, chat, untilMs);
      case "account_limit":
        return this.#limit(guest, row, undefined, untilMs);
      case "refused_connection":
        return () => {
          throw definite("connection refused");
        };
      case "lost_before":
        return () => {
          throw ambiguous("the connection was reset");
        };
      case "lost_after":
        this.#post(message, row, chat);
        return () => {
          throw ambiguous("the connection was reset");
        };
      case "hangs_before":
        return undefined;
      case "hangs_after":
        this.#post(message, row, chat);
        return undefined;
      case "chat_gone":
        this.#gone.add(chat);
        return this.#refuse(row);
      case "odd_throw":
        if (random.chance(0.5)) this.#post(message, row, chat);
        return () => {
          throw new TypeError(`cannot read properties of null, token ${SECRET}`);
        };
      case "odd_receipt":
        this.#post(message, row, chat);
        return () => JSON.parse("{}");
    }
  }

  #confirm(message: OutboundMessage, row: string, chat: string): () => DeliveryReceipt {
    const platformId = this.#post(message, row, chat);
    return () => ({ platformId });
  }

  #post({ text, kind, address }: OutboundMessage, row: string, chat: string): string {
    const known = this.#hasKeys ? this.#platformIds.get(row) : undefined;
    if (known !== undefined) return known;
    this.#posts += 1;
    const platformId = `${this.#account}-${this.#posts}`;
    this.#platformIds.set(row, platformId);
    const [code] = CODE.exec(text) ?? [];
    if (code !== undefined) this.#codes.set(chat, code);
    this.#ground.observe({ type: "posted", post: { row, account: this.#account, chat, address, kind, text } });
    return platformId;
  }

  #refuse(row: string): () => DeliveryReceipt {
    this.#ground.observe({ type: "refused", row });
    return () => {
      throw new ChannelError("chat_gone", "A message was sent: the chat is gone");
    };
  }

  #limit(guest: Guest, row: string, chat: string | undefined, untilMs: number): () => DeliveryReceipt {
    const { clock } = this.#ground;
    this.#limits.set(chat ?? "", untilMs);
    return () => {
      const retryAfterMs = Math.max(1, untilMs - clock.monotonic());
      this.#ground.observe({ type: "limited", process: guest, row, account: this.#account, chat, untilMs });
      const isAccountWide = chat === undefined;
      throw new ChannelError("rate_limited", "A message was sent: too many", { retryAfterMs, isAccountWide });
    };
  }
}

function definite(wrong: string): ChannelError {
  return new ChannelError("definite", `A message was sent: ${wrong}`);
}

function ambiguous(wrong: string): ChannelError {
  return new ChannelError("ambiguous", `A message was sent: ${wrong}`);
}
