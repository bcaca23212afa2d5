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
import {
  type Answer,
  ambiguous,
  definite,
  type EditRequest,
  findCode,
  isPlaceholder,
  type Letter,
  nameRow,
} from "./letter.ts";
import { MessageBoard } from "./message-board.ts";
import { PaceBook } from "./pace-book.ts";
import { RateLimits } from "./rate-limits.ts";

const LATENCY_MS = 120;

/** The longest that a slow edit takes; a process waits longer before it edits the same message again. */
const LATEST_MS = 2_500;

/** Where the platform of one account takes messages. It outlives every guest. */
export class SendDoor {
  readonly #ground: Ground;
  readonly #account: AccountName;
  /** Knows a message by its key, so that the same one stands there once. */
  readonly #hasKeys: boolean;
  readonly #board: MessageBoard;
  readonly #platformIds = new Map<string, string>();
  readonly #gone = new Set<string>();
  readonly #limits: RateLimits;
  readonly #moved = new Map<string, Address>();
  readonly #codes = new Map<string, string>();
  readonly #pace: PaceBook;
  #posts = 0;

  constructor(ground: Ground, account: AccountName, hasKeys: boolean) {
    this.#ground = ground;
    this.#account = account;
    this.#hasKeys = hasKeys;
    this.#board = new MessageBoard(ground, account);
    this.#pace = new PaceBook(ground);
    this.#limits = new RateLimits(ground, account);
  }

  /** The chat lives on elsewhere. */
  move(chat: string, to: Address): void {
    this.#moved.set(chat, to);
  }

  /** The last code that people read in the chat. */
  findCode(chat: string): string | undefined {
    return this.#codes.get(chat);
  }

  /** The milliseconds until the platform's published pace has a place for one more message. */
  pace(guest: Guest, address: Address): number {
    return this.#pace.ask(guest, address);
  }

  /** One message of a process. What it is answered reaches the process only while that lives. */
  send(guest: Guest, message: OutboundMessage): Promise<DeliveryReceipt> {
    return this.#ask(guest, {
      row: nameRow(message),
      address: message.address,
      chat: parseAddress(message.address).chat,
      act: () => {
        const platformId = this.#post(message);
        return () => ({ platformId });
      },
    });
  }

  /** Another text for a message that stands there: the same one again changes nothing. */
  async edit(guest: Guest, { address, platformId, text }: EditRequest): Promise<void> {
    const { chat } = parseAddress(address);
    const row = this.#board.findRow({ address, text });
    await this.#ask(guest, {
      ...{ row: row ?? `the status ${platformId}`, address, chat, platformId },
      act: () =>
        this.#board.change({ platformId, address, text, row })
          ? () => ({ platformId })
          : () => {
              throw new ChannelError("message_gone", "A message was edited: it is there no more");
            },
    });
  }

  /** People delete a message of the bot, whichever the number falls on. */
  remove(place: number): void {
    this.#board.remove(place);
  }

  #ask(guest: Guest, letter: Letter): Promise<DeliveryReceipt> {
    const { clock, random } = this.#ground;
    const { row, address, chat } = letter;
    // A guest that was cut off reaches nobody.
    if (guest.isDead) return new Promise(() => undefined);
    if (!guest.isLeader)
      return this.#tell(guest, 1, () => {
        throw definite("the connection is with a younger guest");
      });
    this.#ground.observe({ type: "request", process: guest, row, account: this.#account, chat, address });
    const { promise, resolve } = Promise.withResolvers<DeliveryReceipt>();
    clock.schedule(random.next() * LATENCY_MS, () => {
      // A request of a process that died on the way may never have left its machine.
      if (guest.isDead && random.chance(0.5)) return;
      const end = this.#take(guest, letter);
      if (end !== undefined) resolve(this.#tell(guest, random.next() * LATENCY_MS, end));
    });
    return promise;
  }

  #tell(guest: Guest, afterMs: number, end: Answer): Promise<DeliveryReceipt> {
    const { promise, resolve, reject } = Promise.withResolvers<DeliveryReceipt>();
    this.#ground.clock.schedule(afterMs, () =>
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
  #take(guest: Guest, letter: Letter): Answer | undefined {
    const { row } = letter;
    const standing = this.#findRefusal(guest, letter);
    if (standing !== undefined) return standing;
    const fault = this.#ground.faults.takeSend(this.#account);
    if (fault !== undefined) this.#ground.trace.tell(() => `  ! ${this.#account} ${fault} ${row}`);
    return fault === undefined ? letter.act() : this.#spoil(fault, guest, letter);
  }

  #findRefusal(guest: Guest, letter: Letter): Answer | undefined {
    const { clock } = this.#ground;
    const { chat, platformId } = letter;
    if (this.#gone.has(chat)) return this.#refuse(letter);
    const migratedTo = this.#moved.get(chat);
    if (migratedTo !== undefined) {
      if (platformId !== undefined) this.#ground.observe({ type: "uneditable", platformId });
      return () => {
        throw new ChannelError("migrated", "A message was sent: the chat has moved", { migratedTo });
      };
    }
    if (clock.monotonic() < this.#ground.outageUntilMs) {
      const isClear = this.#ground.random.chance(0.5);
      return () => {
        throw isClear ? definite("connection refused") : ambiguous("502");
      };
    }
    return this.#limits.refuse(guest, letter);
  }

  #spoil(fault: SendFault, guest: Guest, letter: Letter): Answer | undefined {
    const { random } = this.#ground;
    const { chat } = letter;
    switch (fault) {
      case "chat_limit":
        return this.#limits.set(guest, letter, "chat");
      case "account_limit":
        return this.#limits.set(guest, letter, "account");
      case "refused_connection":
        return () => {
          throw definite("connection refused");
        };
      case "lost_before":
        this.#comeLate(letter);
        return () => {
          throw ambiguous("the connection was reset");
        };
      case "lost_after":
        letter.act();
        return () => {
          throw ambiguous("the connection was reset");
        };
      case "hangs_before":
        this.#comeLate(letter);
        return undefined;
      case "hangs_after":
        letter.act();
        return undefined;
      case "chat_gone":
        this.#gone.add(chat);
        return this.#refuse(letter);
      case "odd_throw":
        if (random.chance(0.5)) letter.act();
        return () => {
          throw new TypeError(`cannot read properties of null, token ${SECRET}`);
        };
      case "odd_receipt": {
        const end = letter.act();
        // An edit gives none.
        return letter.platformId === undefined ? () => JSON.parse("{}") : end;
      }
    }
  }

  /** What seemed lost may only be slow: an edit that others have overtaken by then, also those of the next guest. */
  #comeLate({ platformId, act }: Letter): void {
    const { clock, random } = this.#ground;
    if (platformId === undefined || !random.chance(0.5)) return;
    clock.schedule(random.next() * LATEST_MS, () => void act());
  }

  #post(message: OutboundMessage): string {
    const { text, kind, address } = message;
    const { chat } = parseAddress(address);
    const row = nameRow(message);
    const known = this.#hasKeys ? this.#platformIds.get(row) : undefined;
    if (known !== undefined) return known;
    this.#posts += 1;
    const platformId = `${this.#account}-${this.#posts}`;
    this.#platformIds.set(row, platformId);
    const code = findCode(text);
    if (code !== undefined) this.#codes.set(chat, code);
    this.#board.add(platformId, address);
    const place = isPlaceholder(message) ? { placeOf: row } : {};
    const post = { row, account: this.#account, chat, address, kind, text, platformId, ...place };
    this.#ground.observe({ type: "posted", post });
    return platformId;
  }

  #refuse({ row, platformId }: Letter): Answer {
    this.#ground.observe({ type: "refused", row });
    if (platformId !== undefined) this.#ground.observe({ type: "uneditable", platformId });
    return () => {
      throw new ChannelError("chat_gone", "A message was sent: the chat is gone");
    };
  }
}
