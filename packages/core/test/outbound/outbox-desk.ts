import { randomUUID } from "node:crypto";
import {
  type Address,
  ChannelError,
  type ChannelErrorClass,
  type ChannelErrorOptions,
  type Completion,
  type DeliveryPolicy,
  type DeliveryReceipt,
  type EditsAbility,
  formatAddress,
  type OutboundMessage,
  type PaceAbility,
  resolveChatOf,
} from "@banyan/plugin-sdk";
import type { DeliveryAnnouncement, DeliveryRow, NewDelivery, Store } from "@banyan/store";
import type { CommitFault } from "@banyan/store-sqlite/inline";
import { type CallableHooks, createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import { AccountOutbox } from "../../src/outbound/outbox.ts";
import { createDeadlines } from "../../src/ports/deadlines.ts";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts, type TestPorts } from "../ports/test-ports.ts";

const OWNER = "owner";

function chatOf(chat: string, thread?: string): Address {
  const place = { channel: "irc", account: "default", kind: "dm", chat } as const;
  return formatAddress(thread === undefined ? place : { ...place, thread });
}

export function fails(errorClass: ChannelErrorClass, options: ChannelErrorOptions = {}): ChannelError {
  return new ChannelError(errorClass, `A message was sent: ${errorClass}; wait`, options);
}

/** One account's outbox over a store in memory, with a platform that a test plays. */
export class OutboxDesk {
  readonly ports: TestPorts;
  readonly store: Store;
  readonly hooks: CallableHooks;
  readonly outbox: AccountOutbox;
  /** What the platform was asked to take, in order. */
  readonly sent: OutboundMessage[] = [];
  readonly unauthorized: ChannelError[] = [];
  /** What the platform answers. */
  answer: (message: OutboundMessage) => Promise<DeliveryReceipt> = async ({ deliveryId, part }) => ({
    platformId: `p-${deliveryId}.${part}`,
  });
  /** Brings a moved chat's rows to their new place. */
  follow: (move: { readonly from: Address; readonly to: Address }) => Promise<void> = async () => undefined;
  pace: PaceAbility | undefined;
  /** What edits there; absent: the platform cannot. */
  edits: EditsAbility | undefined;
  inFlight = 0;
  mostInFlight = 0;
  #written = 0;
  /** Another one may write into the same store. */
  readonly #name = randomUUID();

  constructor(options: { store?: Store; fault?: CommitFault; scrub?: (text: string) => string } = {}) {
    const { fault = () => "none", scrub } = options;
    this.ports = createTestPorts(scrub === undefined ? {} : { scrub });
    this.hooks = createLifecycleHooks(this.ports);
    this.store = options.store ?? openTestStore({ clock: this.ports.clock, fault });
    this.outbox = new AccountOutbox({
      channel: "irc",
      account: "default",
      owner: OWNER,
      store: this.store,
      ports: this.ports,
      deadlines: createDeadlines(this.ports.clock, 120_000),
      announce: (announcement) => this.hooks.announce.call(announcement),
      signal: new AbortController().signal,
      onUnauthorized: (error) => void this.unauthorized.push(error),
      onMigrated: (move) => this.follow(move),
    });
  }

  async connect(): Promise<void> {
    this.outbox.connect({ send: (message) => this.#send(message), edits: this.edits }, this.pace);
    await quiet();
  }

  /** Writes rows into the store, as a turn's end does. */
  async write(rows: readonly NewDelivery[]): Promise<void> {
    this.#written += 1;
    const item = {
      lane: "",
      dedupe: `written ${this.#written} by ${this.#name}`,
      nativeId: "n",
      kind: "message",
      address: "none",
      body: "{}",
      refused: "none",
      laneCap: 0,
      deliveries: rows,
    } as const;
    await this.store.commit({ step: "receive", account: { channel: "irc", account: "default" }, items: [item] });
  }

  /** Writes rows and hands them over, then waits until nothing more happens by itself. */
  async post(...rows: readonly NewDelivery[]): Promise<void> {
    await this.write(rows);
    this.outbox.enqueue(rows);
    await quiet();
  }

  /** Writes and hands over a row that is born `sending`, if the chat is free for it. */
  async postReserved(row: NewDelivery): Promise<boolean> {
    const isReserved = this.outbox.reserve(row.chat);
    await this.post(isReserved ? { ...row, sendingOwner: OWNER } : row);
    return isReserved;
  }

  async row(id: string): Promise<DeliveryRow> {
    const row = await this.store.read.delivery(id);
    if (row === undefined) throw new Error(`The delivery ${id} was read: there is none`);
    return row;
  }

  /** The texts the platform was asked to take. */
  get texts(): readonly string[] {
    return this.sent.map(({ text }) => text);
  }

  async #send(message: OutboundMessage): Promise<DeliveryReceipt> {
    this.sent.push(message);
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    try {
      return await this.answer(message);
    } finally {
      this.inFlight -= 1;
    }
  }
}

export interface RowOptions {
  readonly chat?: string;
  readonly thread?: string;
  readonly policy?: DeliveryPolicy;
  readonly part?: number;
  readonly of?: number;
  readonly text?: string;
  /** The row tells of this run's end. */
  readonly runId?: string;
}

/** One part of a message, with everything a test does not care about filled in. */
export function buildRow(deliveryId: string, options: RowOptions = {}): NewDelivery {
  const {
    chat = "ada",
    thread,
    policy = "at-least-once",
    part = 0,
    of = 1,
    text = `text ${deliveryId}.${part}`,
    runId,
  } = options;
  const address = chatOf(chat, thread);
  return {
    id: `${deliveryId}.${part}`,
    deliveryId,
    part,
    of,
    kind: runId === undefined ? "reply" : "completion",
    channel: "irc",
    account: "default",
    address,
    chat: resolveChatOf(address),
    policy,
    ...(runId === undefined ? {} : { runId, sessionKey: "agent:main:irc:dm:ada" }),
    body: JSON.stringify(
      runId === undefined || part > 0 ? { text } : { text, announcement: buildAnnouncementOf(runId) },
    ),
  };
}

function buildAnnouncementOf(runId: string): DeliveryAnnouncement {
  const childSessionKey = `agent:main:subagent:${runId}`;
  const completion: Completion = { runId, childSessionKey, task: "count", outcome: "done", result: "3", durationMs: 1 };
  return { runId, childSessionKey, completion, alsoRunIds: [] };
}
