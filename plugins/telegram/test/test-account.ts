import { inspect } from "node:util";
import type { TelegramEmulator } from "@banyan/emulator-telegram";
import type {
  Announcement,
  ChannelCommand,
  ChannelConnection,
  ChannelContext,
  ChannelError,
  DeliveryReceipt,
  InboundMessage,
  OutboundMessage,
  ReceiveOutcome,
} from "@banyan/plugin-sdk";
import { formatAddress } from "@banyan/plugin-sdk";
import { createManualClock, type ManualClock } from "@banyan/plugin-sdk/kit";
import { expect } from "vitest";
import type { TelegramConfig } from "../src/telegram-config.ts";
import { connectTelegram } from "../src/telegram-connection.ts";
import { createLoopbackFetch, type Interception } from "./loopback-fetch.ts";
import { type AnnounceTap, buildHooks } from "./test-hooks.ts";

const SECRET = "CANARY_oXfn7VdAxF0Wq9lPzT3s";
export const TOKEN: string = `7550001:${SECRET}`;

const DEFAULTS = { token: TOKEN, updates: "polling", webhook: "delete", pace: "auto", growingAnswers: "auto" } as const;

interface Report {
  readonly state: "running" | "retrying" | "failed";
  readonly error?: ChannelError;
}

export interface TestAccountOptions {
  readonly cursor?: string | undefined;
  readonly intercept?: Interception;
  /** Called with each batch before it counts as stored; may reject. */
  readonly store?: (messages: readonly InboundMessage[], cursor: string | undefined) => Promise<void>;
  /** Called with each moved chat before it counts as stored; may reject. */
  readonly storeMove?: (move: ChatMove) => Promise<void>;
  /** What becomes of what is received; it is stored, if left out. */
  readonly outcome?: ReceiveOutcome;
  readonly needsAllMessages?: boolean;
  readonly threadFallback?: "reply" | "refuse";
  readonly commands?: readonly ChannelCommand[];
  readonly config?: Partial<TelegramConfig>;
}

type ChatMove = Parameters<ChannelContext<unknown>["migrateChat"]>[0];

interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

/** One account of a gateway that keeps what it received in an array. */
export class TestAccount {
  readonly clock: ManualClock = createManualClock();
  readonly received: InboundMessage[] = [];
  readonly reports: Report[] = [];
  readonly moves: ChatMove[] = [];
  /** The host cannot store that a thread is gone. */
  refusesGone = false;
  /** Threads that are said to be gone. */
  readonly gone: string[] = [];
  /** What people are told of them. */
  readonly notices: string[] = [];
  readonly logged: LogLine[] = [];
  /** What the account serves, by path. */
  readonly served: Map<string, (request: Request) => Promise<Response>> = new Map();
  cursor: string | undefined;
  readonly #url: string;
  readonly #options: TestAccountOptions;
  readonly #stopping = new AbortController();
  #watchers: (() => void)[] = [];
  /** The newest call of each method. */
  readonly #calls = new Map<string, AbortController>();
  #tap: AnnounceTap | undefined;
  #storedCount = 0;
  #connection: ChannelConnection | undefined;

  constructor(emulator: TelegramEmulator, options: TestAccountOptions = {}) {
    this.#url = emulator.url;
    this.#options = options;
    this.cursor = options.cursor;
  }

  async connect(): Promise<ChannelConnection> {
    this.#connection = await connectTelegram(this.#buildContext(), () => 0.999);
    return this.#connection;
  }

  /** Resolves with the first `count` texts received, now or as soon as there are so many. */
  async receives(count: number): Promise<string[]> {
    await this.#until(() => this.received.length >= count);
    return this.received.map(({ text }) => text);
  }

  /** Resolves with the report number `count`, counted from 1. */
  async reported(count: number): Promise<Report | undefined> {
    await this.#until(() => this.reports.length >= count);
    return this.reports[count - 1];
  }

  /** Resolves when `count` lines were logged. */
  async logs(count: number): Promise<void> {
    await this.#until(() => this.logged.length >= count);
  }

  /** Resolves when something was stored so many times more. */
  async stores(count: number): Promise<void> {
    const until = this.#storedCount + count;
    await this.#until(() => this.#storedCount >= until);
  }

  /** Resolves with the first line of the log that matches, now or as soon as there is one. */
  async says(pattern: RegExp): Promise<LogLine> {
    const find = () => this.logged.find(({ message }) => pattern.test(message));
    await this.#until(() => find() !== undefined);
    return find() ?? unexpected();
  }

  /** Waits no longer for the newest call of the method, as after its time limit. Telegram may still make it. */
  hangsUp(method: string): void {
    this.#calls.get(method)?.abort();
  }

  /** Tells the account of a sub-agent's end; resolves with the receipt of its tap. */
  announce(announcement: Announcement): Promise<DeliveryReceipt | undefined> {
    const { log, signal } = this.#buildContext();
    return this.#tap?.(announcement, { log, signal }) ?? unexpected();
  }

  /** Ends the account, and checks that nothing it ever said holds the token. */
  async close(): Promise<void> {
    await this.#connection?.close();
    this.#stopping.abort();
    for (const said of [this.reports, this.logged, this.received]) {
      expect(inspect(said, { depth: null, showHidden: true })).not.toContain(SECRET);
    }
  }

  #buildContext(): ChannelContext<TelegramConfig> {
    const log = (level: string) => (fields: object, message: string) => {
      this.logged.push({ level, fields, message });
      this.#changed();
    };
    return {
      config: { ...DEFAULTS, apiBaseUrl: this.#url, ...this.#options.config },
      account: "default",
      cursor: this.cursor,
      hooks: buildHooks((tap) => {
        this.#tap = tap;
      }),
      log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
      clock: this.clock,
      needsAllMessages: this.#options.needsAllMessages ?? false,
      threadFallback: this.#options.threadFallback ?? "reply",
      commands: this.#options.commands ?? [],
      signal: this.#stopping.signal,
      fetch: createLoopbackFetch(this.#options.intercept, (method) => {
        const call = new AbortController();
        this.#calls.set(method, call);
        return call.signal;
      }),
      http: {
        mount: (path, serve) => {
          this.served.set(path, serve);
          return () => void this.served.delete(path);
        },
      },
      receive: (messages, options) => this.#receive(messages, options?.cursor),
      migrateChat: (move) => this.#move(move),
      threadGone: async (address, notice) => {
        if (this.refusesGone) throw new Error("the store has closed");
        this.gone.push(address);
        if (notice !== undefined) this.notices.push(notice);
        this.#changed();
      },
      findDelivered: unexpected,
      suggestTargets: unexpected,
      history: unexpected,
      report: (state, error) => {
        this.reports.push(error === undefined ? { state } : { state, error });
        this.#changed();
      },
    };
  }

  async #receive(messages: readonly InboundMessage[], cursor: string | undefined): Promise<readonly ReceiveOutcome[]> {
    await this.#options.store?.(messages, cursor);
    this.received.push(...messages);
    this.cursor = cursor;
    this.#storedCount += 1;
    this.#changed();
    return messages.map(() => this.#options.outcome ?? "stored");
  }

  async #move({ from, to }: ChatMove): Promise<void> {
    await this.#options.storeMove?.({ from, to });
    this.moves.push({ from, to });
    this.#changed();
  }

  #until(isReached: () => boolean): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (isReached()) resolve();
        else this.#watchers.push(look);
      };
      look();
    });
  }

  #changed(): void {
    for (const look of this.#watchers.splice(0)) look();
  }
}

/** A message of the core to a person, with what a test does not care for. */
export function buildOutbound(chat: number, text: string, part: Partial<OutboundMessage> = {}): OutboundMessage {
  const address = formatAddress({ channel: "telegram", account: "default", kind: "dm", chat: String(chat) });
  const message = { deliveryId: "d1", part: 0, of: 1, address, kind: "reply", text, attempt: 1 } as const;
  return { ...message, createdAt: 0, mayHaveArrived: false, ...part };
}

function unexpected(): never {
  throw new Error("The Telegram plugin used a part of the context that it has no use for");
}
