import { inspect } from "node:util";
import type { DiscordEmulator } from "@banyan/emulator-discord";
import {
  type Address,
  type Announcement,
  type ChannelCommand,
  type ChannelConnection,
  type ChannelContext,
  type ChannelError,
  type ChannelFetch,
  type DeliveryReceipt,
  formatAddress,
  type InboundMessage,
  type OutboundMessage,
  type ReceiveOutcome,
} from "@banyan/plugin-sdk";
import { expect } from "vitest";
import type { DiscordConfig } from "../src/discord-config.ts";
import { connectDiscord } from "../src/discord-connection.ts";
import { createLoopbackFetch, type Interception } from "./loopback-fetch.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";
import { type AnnounceTap, buildHooks } from "./test-hooks.ts";

/** Must stand in nothing that the channel ever says. */
const SECRET = "CANARY-oXfn7VdAxF0Wq9lPzT3s-gateway";
export const BOT_ID = "700000000000000001";
export const TOKEN: string = `NzAwMDAwMDAwMDAwMDAwMDAx.Grove1.${SECRET}`;
const PATIENCE_MS = 50_000;

interface Report {
  readonly state: "running" | "retrying" | "failed";
  readonly error?: ChannelError;
}

interface LogLine {
  readonly level: string;
  readonly fields: object;
  readonly message: string;
}

export interface TestAccountOptions {
  readonly cursor?: string | undefined;
  readonly intercept?: Interception;
  /** Called with each batch before it counts as stored; may reject. */
  readonly store?: (messages: readonly InboundMessage[], cursor: string | undefined) => Promise<void>;
  /** What becomes of each message; `stored` unless it was stored before. */
  readonly judge?: (message: InboundMessage) => ReceiveOutcome;
  readonly commands?: readonly ChannelCommand[];
  readonly targets?: readonly { readonly value: string; readonly label: string }[];
  /** Instead of `targets`; may reject. */
  readonly suggest?: ChannelContext<DiscordConfig>["suggestTargets"];
  /** Receipts of deliveries that are on record. */
  readonly delivered?: readonly string[];
  readonly needsAllMessages?: boolean;
  readonly threadFallback?: "reply" | "refuse";
  readonly config?: Partial<DiscordConfig>;
}

/** One life of an account, of a gateway that keeps what it received in an array. */
export class TestAccount {
  readonly received: InboundMessage[] = [];
  readonly reports: Report[] = [];
  readonly logged: LogLine[] = [];
  readonly goneThreads: Address[] = [];
  /** What people are told of threads. */
  readonly notices: string[] = [];
  /** The same, with who is told: people in the thread's chat, or those who asked for its sub-agent. */
  readonly told: (readonly ["chat" | "requester", string])[] = [];
  readonly clock: TestClock = createTestClock();
  /** What the channel serves over HTTP, by path. */
  readonly served: Map<string, (request: Request) => Promise<Response>> = new Map();
  cursor: string | undefined;
  #announceTap: AnnounceTap | undefined;
  readonly #url: string;
  readonly #options: TestAccountOptions;
  readonly #stopping = new AbortController();
  #watchers: (() => void)[] = [];
  #calls = 0;
  #connection: ChannelConnection | undefined;

  constructor(emulator: DiscordEmulator, options: TestAccountOptions = {}) {
    this.#url = emulator.url;
    this.#options = options;
    this.cursor = options.cursor;
  }

  async connect(): Promise<ChannelConnection> {
    this.#connection = await connectDiscord(this.#buildContext(), () => 0.999);
    return this.#connection;
  }

  get connection(): ChannelConnection {
    return this.#connection ?? unexpected();
  }

  /** Of this life: the platform's clock is put forward by itself. */
  passTime(ms: number): void {
    this.clock.passTime(ms);
  }

  /** Resolves with the texts received, once there are so many. */
  async receives(count: number): Promise<readonly string[]> {
    await this.until(`${count} messages`, () => this.received.length >= count);
    return this.received.map(({ text }) => text);
  }

  /** Resolves with the first report of the state. */
  async reported(state: Report["state"]): Promise<Report> {
    const find = () => this.reports.find((report) => report.state === state);
    await this.until(`the report ${state}`, () => find() !== undefined);
    return find() ?? unexpected();
  }

  /** Resolves with the first line of the log that matches. */
  async says(pattern: RegExp): Promise<LogLine> {
    const find = () => this.logged.find(({ message }) => pattern.test(message));
    await this.until(`the line ${pattern}`, () => find() !== undefined);
    return find() ?? unexpected();
  }

  /** Resolves when all calls are answered and their answers are read. */
  async idles(): Promise<void> {
    await this.until("the answers to all calls", () => this.#calls === 0);
    await new Promise((resolve) => setImmediate(resolve));
  }

  /** As the hook does it: by the channel's own tap, else by `send`. */
  async announce(announcement: Announcement): Promise<DeliveryReceipt | undefined> {
    const log = this.#buildContext().log;
    return this.#announceTap?.(announcement, { log, signal: this.#stopping.signal });
  }

  /** Ends the account, and checks that nothing it ever said holds the token. */
  async close(): Promise<void> {
    await this.#connection?.close();
    this.#stopping.abort();
    this.#connection = undefined;
    for (const said of [this.reports, this.logged, this.received, this.cursor])
      expect(inspect(said, { depth: null, showHidden: true })).not.toContain(SECRET);
  }

  async until(what: string, isReached: () => boolean): Promise<void> {
    const limit = AbortSignal.timeout(PATIENCE_MS);
    while (!isReached()) {
      const changed = Promise.withResolvers<void>();
      this.#watchers.push(changed.resolve);
      limit.addEventListener("abort", () => changed.resolve(), { once: true });
      await changed.promise;
      if (!limit.aborted || isReached()) continue;
      throw new Error(`waited for ${what} in vain; ${inspect(this.logged.slice(-10), { depth: 4 })}`);
    }
  }

  #buildContext(): ChannelContext<DiscordConfig> {
    const log = (level: string) => (fields: object, message: string) => {
      this.logged.push({ level, fields, message });
      this.#changed();
    };
    const { config, commands = [], needsAllMessages = false, targets = [], delivered = [], intercept } = this.#options;
    const { threadFallback = "reply" } = this.#options;
    return {
      config: {
        token: TOKEN,
        apiBaseUrl: this.#url,
        threadType: "public",
        threadArchiveMinutes: 1_440,
        completions: "card",
        interactions: "gateway",
        ...config,
      },
      account: "default",
      cursor: this.cursor,
      hooks: buildHooks((tap) => {
        this.#announceTap = tap;
      }),
      log: { debug: log("debug"), info: log("info"), warn: log("warn"), error: log("error") },
      clock: this.clock,
      needsAllMessages,
      threadFallback,
      commands,
      signal: this.#stopping.signal,
      fetch: this.#countCalls(createLoopbackFetch(intercept)),
      http: {
        mount: (path, serve) => {
          this.served.set(path, serve);
          return () => this.served.delete(path);
        },
      },
      receive: (messages, options) => this.#receive(messages, options?.cursor),
      migrateChat: unexpected,
      threadGone: async (address, notice, to = "chat") => {
        this.goneThreads.push(address);
        if (notice !== undefined) this.notices.push(notice);
        if (notice !== undefined) this.told.push([to, notice]);
        this.#changed();
      },
      findDelivered: async ({ platformIds }) => new Set(platformIds.filter((id) => delivered.includes(id))),
      suggestTargets: this.#options.suggest ?? (async () => targets),
      history: unexpected,
      report: (state, error) => {
        this.reports.push(error === undefined ? { state } : { state, error });
        this.#changed();
      },
    };
  }

  #countCalls(fetch: ChannelFetch): ChannelFetch {
    return async (...call) => {
      this.#calls += 1;
      return fetch(...call).finally(() => {
        this.#calls -= 1;
        this.#changed();
      });
    };
  }

  async #receive(messages: readonly InboundMessage[], cursor: string | undefined): Promise<readonly ReceiveOutcome[]> {
    await this.#options.store?.(messages, cursor);
    const outcomes = messages.map((message) => this.#keep(message));
    this.cursor = cursor;
    this.#changed();
    return outcomes;
  }

  #keep(message: InboundMessage): ReceiveOutcome {
    const isKnown = this.received.some(({ id, editedAt }) => id === message.id && editedAt === message.editedAt);
    const outcome = isKnown ? "duplicate" : (this.#options.judge?.(message) ?? "stored");
    if (outcome === "stored") this.received.push(message);
    return outcome;
  }

  #changed(): void {
    for (const look of this.#watchers.splice(0)) look();
  }
}

/** Where a message goes: a channel of a server, a thread of it, or a direct chat. */
export function buildAddress(chat: string, thread?: string, kind: "channel" | "dm" = "channel"): Address {
  return formatAddress({ channel: "discord", account: "default", kind, chat, ...(thread !== undefined && { thread }) });
}

export type OutboundPart = Partial<OutboundMessage>;

/** A message of the core, with what a test does not care for. */
export function buildOutbound(address: Address, text: string, part: OutboundPart = {}): OutboundMessage {
  const message = { deliveryId: "d1", part: 0, of: 1, address, kind: "reply", text, attempt: 1 } as const;
  return { ...message, createdAt: Date.now(), mayHaveArrived: false, ...part };
}

function unexpected(): never {
  throw new Error("The Discord plugin used a part of the context that it has no use for");
}
