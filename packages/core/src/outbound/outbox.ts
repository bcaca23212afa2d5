/**
 * The flow of a stored delivery to its chat, for each account:
 *   1 enqueue  a row joins the queue of its chat (chat-queue.ts); too many wait in the store (stored-backlog.ts)
 *   2 pick     the chat that has been ready longest, if the account, the chat and the platform's pace allow it (pace.ts)
 *   3 attempt  the row is sent, and what became of it is stored (attempt.ts, decide-settle.ts)
 *   4 settle   its queue follows what was stored: the next row, a wait, or the chat's new id
 * A step that writes rows may reserve their chats first: then they are stored as `sending`, and 1 and 2 are skipped.
 * `amend` edits a message that was sent, while nothing else is sent to its chat (anchors/amend-message.ts).
 */
import { type Address, ChannelError, isAddress, type PaceAbility } from "@banyan/plugin-sdk";
import type { DeliveryRow, NewDelivery } from "@banyan/store";
import { type AmendEnd, type Amendment, amendMessage } from "./anchors/amend-message.ts";
import { SpoiledMessages } from "./anchors/spoiled-messages.ts";
import { type AttemptEnd, type AttemptParts, attemptDelivery, type Sender } from "./attempt.ts";
import { type ChatQueue, ChatQueues, isHeld } from "./chat-queue.ts";
import { isRateLimit, isThreadGone } from "./decide-settle.ts";
import { AccountHold, askPace, ChatHolds } from "./pace.ts";
import { type QueuedDelivery, queueNew, queueStored } from "./queued-delivery.ts";
import { MAX_QUEUED_ROWS, StoredBacklog } from "./stored-backlog.ts";

/** The outboxes of all accounts. Rows of an account that has none wait in the store. */
export interface Outbox {
  open(parts: AccountOutboxParts): AccountOutbox;
  /** Marks the rows that may be stored as `sending`. The caller must `enqueue` or `release` what was marked. */
  reserve(rows: readonly NewDelivery[], owner: string): readonly NewDelivery[];
  release(rows: readonly NewDelivery[]): void;
  enqueue(rows: readonly NewDelivery[]): void;
  /** Changes the message of a sent row, if nothing for its chat waits or is being sent. Never rejects. */
  amend(row: DeliveryRow, amendment: Amendment): Promise<AmendEnd>;
  /** The number of chats that send or wait. */
  readonly busyChats: number;
  /** Called when an operator has changed a row of the chat. */
  refresh(row: { readonly channel: string; readonly account: string; readonly chat: string }): void;
  /** Called when the store has moved an account's chat to another id. Both are as rows name them in `chat`. */
  moveChat(move: {
    readonly channel: string;
    readonly account: string;
    readonly from: string;
    readonly to: string;
  }): void;
  close(): Promise<void>;
}

export function createOutbox(): Outbox {
  const accounts = new Map<string, AccountOutbox>();
  const find = (row: { channel: string; account: string }) => accounts.get(`${row.channel}/${row.account}`);
  return {
    open(parts) {
      const outbox = new AccountOutbox(parts);
      accounts.set(`${parts.channel}/${parts.account}`, outbox);
      return outbox;
    },
    reserve: (rows, owner) =>
      rows.map((row) => (isSent(row) && find(row)?.reserve(row.chat) ? { ...row, sendingOwner: owner } : row)),
    release(rows) {
      for (const row of rows) if (row.sendingOwner !== undefined) find(row)?.release(row.chat);
    },
    enqueue(rows) {
      for (const row of rows) if (isSent(row)) find(row)?.enqueue([row]);
    },
    amend: async (row, amendment) => (await find(row)?.amend(row, amendment)) ?? { kind: "busy" },
    get busyChats() {
      return [...accounts.values()].reduce((sum, account) => sum + account.busyChats, 0);
    },
    refresh: (row) => find(row)?.refresh(row.chat),
    moveChat: (move) => find(move)?.moveChat(move.from, move.to),
    async close() {
      await Promise.all([...accounts.values()].map((outbox) => outbox.close()));
    },
  };
}

/** What is stored as undeliverable stays there for the operator. */
function isSent({ undeliverable }: NewDelivery): boolean {
  return undeliverable === undefined;
}

/** Over all chats of an account: enough to hide a slow network, few enough for a small machine. */
const MAX_PARALLEL_SENDS = 256;
/** A move that could not be stored is tried again with the chat's next attempt. */
const FOLLOW_RETRY_MS = 5_000;

export interface AccountOutboxParts extends Omit<AttemptParts, "isSpoiled"> {
  readonly channel: string;
  readonly account: string;
  /** Called when the account's credentials are refused. Nothing more is sent until it connects again. */
  onUnauthorized(error: ChannelError): void;
  /** Called when a send has found its thread gone, or closed for good. Must not throw. */
  onThreadGone?(address: string): void;
  /** Called when a send has found the chat's new id. Resolves when sessions and deliveries have moved and `moveChat` ran. */
  onMigrated(move: { readonly from: Address; readonly to: Address }): Promise<void>;
}

/**
 * Sends the deliveries of one account: chats concurrently, the rows of a chat in order. No other code changes rows from
 * `pending` to their end, so the rows in memory and in the store never differ for longer than one step.
 */
export class AccountOutbox {
  readonly #parts: AccountOutboxParts;
  readonly #attempt: AttemptParts;
  readonly #queues = new ChatQueues();
  readonly #holds: ChatHolds;
  readonly #backlog: StoredBacklog;
  readonly #spoiled: SpoiledMessages;
  #sender: Sender | undefined;
  #pace: PaceAbility | undefined;
  #inFlight = 0;
  /** Sends reserved for rows that are being written. */
  #reserved = 0;
  readonly #accountHold: AccountHold;
  #isClosed = false;
  #whenIdle: (() => void)[] = [];

  constructor(parts: AccountOutboxParts) {
    this.#parts = parts;
    this.#spoiled = new SpoiledMessages(parts.ports.clock);
    this.#attempt = { ...parts, isSpoiled: (row) => this.#spoiled.has(row) };
    this.#accountHold = new AccountHold(parts.ports.clock, () => this.#pump());
    this.#holds = new ChatHolds(parts.ports.clock, this.#queues, () => this.#pump());
    this.#backlog = new StoredBacklog({
      ...parts,
      count: () => this.#queues.size,
      isConnected: () => this.#sender !== undefined,
      onRow: (row, waitMs) => this.#takeStored(row, waitMs),
      onRest: () => this.#pump(),
    });
  }

  get busyChats(): number {
    return this.#queues.chats;
  }

  /** Sends what waits, and what comes. Without a connection, and after `close`, rows wait. */
  connect(sender: Sender, pace?: PaceAbility): void {
    if (this.#isClosed) return;
    this.#sender = sender;
    this.#pace = pace;
    this.reload();
    this.#pump();
  }

  disconnect(): void {
    this.#sender = undefined;
    this.#pump();
  }

  /**
   * Whether a row for the chat may be stored as `sending`: the account sends, the platform's pace allows it, and nothing
   * for the chat is before it. The chat is then reserved until `enqueue` is called with that row, or `release`.
   */
  reserve(chat: string): boolean {
    if (!this.#canSend || this.#backlog.hasMore || !this.#queues.reserve(chat)) return false;
    if (askPace(this.#pace, chat, this.#parts.ports.log) > 0) {
      this.#queues.free(chat);
      return false;
    }
    this.#reserved += 1;
    return true;
  }

  release(chat: string): void {
    this.#reserved -= 1;
    this.#queues.free(chat);
    this.#pump();
  }

  /** Changes the message of a sent row, if nothing for its chat waits or is being sent. Never rejects. */
  async amend(row: DeliveryRow, amendment: Amendment): Promise<AmendEnd> {
    const edits = this.#sender?.edits;
    if (this.#spoiled.isUnclear(row.id)) return { kind: "unclear" };
    if (edits === undefined || !this.#spoiled.take(row) || !this.reserve(row.chat)) return { kind: "busy" };
    // It counts like a delivery: `close` waits for it.
    this.#reserved -= 1;
    this.#inFlight += 1;
    const end = await amendMessage(row, amendment, edits, this.#parts);
    if (end.kind === "unclear") this.#spoiled.add(row.id);
    const queue = this.#queues.find(row.chat);
    if (end.kind === "limited" && end.isAccountWide) this.#accountHold.begin(end.retryAfterMs);
    else if (end.kind === "limited" && queue !== undefined) this.#holds.hold(queue, end.retryAfterMs, true);
    this.#leave(row.chat);
    return end;
  }

  /** Takes rows that were just stored. */
  enqueue(rows: readonly NewDelivery[]): void {
    const now = this.#parts.ports.clock.now();
    for (const row of rows) {
      if (row.sendingOwner !== undefined) this.#begin(queueNew(row, now));
      else if (this.#backlog.hasMore || this.#queues.size >= MAX_QUEUED_ROWS) this.#backlog.grow();
      else if (!this.#queues.has(row.id)) this.#queues.wake(this.#queues.append(queueNew(row, now)));
    }
    this.#backlog.load();
    this.#pump();
  }

  /** Reads the chat's waiting rows again: an operator has changed one. They are due at once. */
  refresh(chat: string): void {
    this.#queues.forget(chat);
    this.reload();
  }

  /** Reads the chat's rows again, in their order: the store has moved them to another id. */
  moveChat(from: string, to: string): void {
    this.#queues.leave(from, to);
    this.refresh(to);
  }

  /** Reads rows that became due in the store. */
  reload(): void {
    this.#backlog.reload();
  }

  /** Stops sending and waits for what is being sent. A row that was not tried does not lose an attempt. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sender = undefined;
    if (this.#inFlight > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
  }

  get #canSend(): boolean {
    const hasPlace = this.#inFlight + this.#reserved < MAX_PARALLEL_SENDS;
    return this.#sender !== undefined && this.#accountHold.leftMs === 0 && hasPlace;
  }

  #pump(): void {
    while (this.#canSend) {
      const next = this.#queues.takeReady((queue, row) => this.#keepsPace(queue, row));
      if (next === undefined) return;
      this.#inFlight += 1;
      void this.#deliver(next.queue, next.row);
    }
  }

  #keepsPace(queue: ChatQueue, row: QueuedDelivery): boolean {
    const waitMs = askPace(this.#pace, row.address, this.#parts.ports.log);
    if (waitMs > 0) this.#holds.pace(queue, waitMs);
    return waitMs === 0;
  }

  /** A row that was stored as `sending` waits for nothing: it is sent, or put back at once. */
  #begin(row: QueuedDelivery): void {
    this.#reserved -= 1;
    this.#inFlight += 1;
    void this.#deliver(this.#queues.fill(row), row);
  }

  async #deliver(queue: ChatQueue, row: QueuedDelivery): Promise<void> {
    try {
      const findSender = () => (isHeld(queue) ? undefined : this.#sender);
      const end = await attemptDelivery(row, findSender, this.#accountHold, this.#attempt);
      this.#settle(queue, row, end);
      if (isThreadGone(end?.error)) this.#parts.onThreadGone?.(row.address);
      if (end?.hold === "moved") await this.#follow(queue, row, end.error);
    } catch (error) {
      // The store has failed or the gateway stops. The row is `sending`, and the next process decides about it.
      this.#queues.remove(queue, row);
      this.#parts.ports.log.error({ err: error, delivery: row.id }, "a delivery is left to the next start");
    }
    this.#leave(queue.chat);
  }

  #leave(chat: string): void {
    this.#inFlight -= 1;
    this.#queues.free(chat);
    this.#backlog.load();
    this.#pump();
    if (this.#inFlight === 0) for (const resolve of this.#whenIdle.splice(0)) resolve();
  }

  /** Makes the rows in memory agree with what was just stored. */
  #settle(queue: ChatQueue, row: QueuedDelivery, end: AttemptEnd | undefined): void {
    if (end?.outcome.state !== "pending") this.#queues.remove(queue, row);
    // The row was changed concurrently, such as by an operator who retries it: read it again.
    if (end === undefined) {
      this.reload();
      return;
    }
    if (end.outcome.state === "stuck") this.#backlog.reloadIn(end.outcome.retryInMs);
    if (end.outcome.state !== "pending") return;
    if (end.outcome.giveBackAttempt) row.attempts -= 1;
    if (end.outcome.maybeRepeated) row.maybeRepeated = true;
    const to = end.hold === "moved" ? undefined : queue.movedTo;
    const place = to === undefined ? queue : this.#queues.carryOver(queue, row, to).queue;
    if (end.hold === "chat") this.#holds.hold(place, end.outcome.retryInMs, isRateLimit(end.error));
    else if (end.hold === "account_stopped" && end.error instanceof ChannelError) {
      this.#sender = undefined;
      this.#parts.onUnauthorized(end.error);
    }
  }

  /** The chat stays busy until then, so that nothing is sent to the old id. */
  async #follow(queue: ChatQueue, row: QueuedDelivery, error: unknown): Promise<void> {
    const { onMigrated, ports } = this.#parts;
    this.#queues.remove(queue, row);
    try {
      const to = error instanceof ChannelError ? error.migratedTo : undefined;
      if (to === undefined || !isAddress(queue.chat)) throw new Error("A chat was followed: nothing says where to");
      await onMigrated({ from: queue.chat, to });
    } catch (failure) {
      ports.log.error({ err: failure, delivery: row.id, retryInMs: FOLLOW_RETRY_MS }, "a chat could not be followed");
      this.#queues.forget(queue.chat);
      if (queue.hold === undefined) this.#holds.hold(queue, FOLLOW_RETRY_MS, false);
    }
    this.reload();
  }

  #takeStored(row: DeliveryRow, waitMs: number): void {
    if (this.#queues.has(row.id)) return;
    const queue = this.#queues.append(queueStored(row));
    if (waitMs > 0) this.#holds.hold(queue, waitMs, false);
    this.#queues.wake(queue);
  }
}
