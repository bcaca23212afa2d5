import type { LifecycleHooks } from "../hooks/lifecycle-hooks.ts";
import type { Clock } from "../port/clock.ts";
import type { Log } from "../port/log.ts";
import type { Address } from "./address.ts";
import type { ChannelError } from "./channel-error.ts";
import type { InboundMessage, ReceiveOutcome, Sender } from "./inbound-message.ts";
import type { DeliveryKind } from "./outbound-message.ts";

/** What the host gives a plugin for one account. It lives until `signal` aborts. */
export interface ChannelContext<Config> {
  readonly config: Config;
  /** The account's name in the configuration. Put it into every address. */
  readonly account: string;
  /** The cursor stored with the last batch, or `undefined` at the very first start. */
  readonly cursor: string | undefined;
  /** The account's view of the lifecycle hooks; taps are removed with the account. */
  readonly hooks: LifecycleHooks;
  readonly log: Log;
  readonly clock: Clock;
  /**
   * The account lets in what people in groups write to one another, not only what is addressed to it. Where the platform
   * keeps that from the account, warn the operator and name the cure.
   */
  readonly needsAllMessages: boolean;
  /**
   * What to do where no thread can be opened for a sub-agent, on platforms that know replies: let it live in the replies to a
   * message of its own, or refuse. Also said of what is to go to a thread that is gone: to its chat, or nowhere.
   */
  readonly threadFallback: "reply" | "refuse";
  /** The commands that people can send here, for platforms that show a list of them. */
  readonly commands: readonly ChannelCommand[];
  /** Aborts when the account stops. Every wait of the plugin ends on it. */
  readonly signal: AbortSignal;
  /** The host's HTTP client. Use it for every call to the platform. */
  readonly fetch: ChannelFetch;
  readonly http: ChannelHttp;
  /**
   * Takes a batch in. Resolves when the messages **and** the cursor are stored; only then may the plugin acknowledge
   * the platform. Rejects when nothing was stored: receive the same batch again. Messages of one chat go in order.
   */
  receive(messages: readonly InboundMessage[], options?: ReceiveOptions): Promise<readonly ReceiveOutcome[]>;
  /**
   * Tells that a chat goes on under another id, as some platforms do when a group grows: sessions and what waits go along.
   * Resolves when that is stored; only then may the plugin acknowledge the platform. Telling it again is harmless.
   */
  migrateChat(move: { readonly from: Address; readonly to: Address }): Promise<void>;
  /**
   * Tells that a thread was deleted, or is shut for the account: no sub-agent is bound to it any more, and what is written there
   * goes its normal way. With a `notice`, in Markdown, people in the chat that the thread is in are told, once a day at most
   * for a thread; with `requester` instead those where the bound sub-agent was asked for, for a thread whose chat takes no
   * messages. Resolves when all of it is stored. Without a `notice` nothing happens for one that is not bound.
   */
  threadGone(address: Address, notice?: string, to?: "chat" | "requester"): Promise<void>;
  /**
   * Which of these ids are receipts of deliveries on record at the address, over all parts: so that a plugin which looks for
   * a message of unclear end in the platform's history never takes one that belongs to another delivery. Deliveries are
   * kept for 30 days after their end.
   */
  findDelivered(request: DeliveredRequest): Promise<ReadonlySet<string>>;
  /**
   * What the sender could mean as the target of a command at the address, for completion while it is typed: newest first, at
   * most 25. Empty for whoever could send no command there.
   */
  suggestTargets(request: TargetRequest): Promise<readonly TargetSuggestion[]>;
  /** What was received and delivered at an address, oldest first. */
  history(request: HistoryRequest): Promise<readonly HistoryMessage[]>;
  /** Tells the operator how the account fares. `failed` stops it; the host does not start it again by itself. */
  report(state: "running" | "retrying" | "failed", error?: ChannelError): void;
}

export interface ReceiveOptions {
  /** Where to go on after this batch; stored with it. */
  readonly cursor?: string;
  /**
   * Milliseconds since the epoch by the platform's clock when it gave the batch, where it says so. By it the age of a
   * message is judged; without it by this machine's clock, which may be wrong.
   */
  readonly platformNow?: number;
}

/** One command of the host. */
export interface ChannelCommand {
  /** Without the slash; `^[a-z][a-z0-9_]{0,31}$`. */
  readonly name: string;
  /** A few words, without a full stop. */
  readonly summary: string;
  /** The same in other languages, by ISO 639-1 code, for platforms that show a list in the language of a person's app. */
  readonly summaries?: Readonly<Record<string, string>>;
  /** Whether it works in DMs alone. */
  readonly isDmOnly: boolean;
  /**
   * What may stand behind the name, for platforms with typed options: the values joined by spaces in this order, left out
   * ones dropped, are the line that the host takes. A value with blanks goes in double quotes, unless it is the last one.
   * Absent: nothing stands there.
   */
  readonly parameters?: readonly CommandParameter[];
}

/** `target`: a sub-agent, as `suggestTargets` names them. `agent`: an agent of the configuration. `text`: anything. */
export type CommandParameterKind = "text" | "target" | "agent";

export interface CommandParameter {
  /** `^[a-z][a-z0-9_]{0,31}$`; unique within its command. */
  readonly name: string;
  /** A few words, without a full stop. */
  readonly summary: string;
  /** Those that are required stand before the others. */
  readonly isRequired: boolean;
  readonly kind: CommandParameterKind;
  /** The only values that it may have. */
  readonly choices?: readonly string[];
}

/**
 * `fetch` as the web has it, over kept connections. Throws `TransportError { sent }` where no answer came.
 * `timeoutMs` bounds the whole call (default 30,000). Only http and https. An answer over `limitBytes` (default
 * 64 MiB) is a `TransportError { sent: true }`. Unlike the web's it follows no redirect (the answer is the 3xx), asks
 * for no compression and undoes none (so that nothing small can become something large), and sends no credentials of a URL's `user:password@`: give an `authorization` header.
 */
export type ChannelFetch = (url: string, request?: ChannelRequest) => Promise<ChannelResponse>;

/**
 * The part of a web `Response` that platforms' libraries read. The body is here as a whole and can be read again, unless
 * the request was `isStreamed`.
 */
export interface ChannelResponse {
  readonly status: number;
  readonly ok: boolean;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
  json(): Promise<unknown>;
  bytes(): Promise<Uint8Array>;
  /**
   * With `isStreamed`: the body as it comes, once. It fails with a `TransportError` where the connection ends before its
   * time, the body is over `limitBytes` or the call over `timeoutMs`. Cancel it when no more of it is wanted.
   */
  readonly body?: ReadableStream<Uint8Array> | null;
}

export interface ChannelRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly limitBytes?: number;
  /** The answer is there with its head and its `body` is read piece by piece, for files: memory never holds it whole. */
  readonly isStreamed?: boolean;
}

export interface ChannelHttp {
  /**
   * Serves a path prefix and all below it from the gateway's server, until the disposer is called. `access: "operator"`
   * (default) lets only the bearer of the server's token in; `access: "open"` leaves the check to the plugin
   * (webhooks check their own secret before they read the body).
   */
  mount(
    path: string,
    serve: (request: Request) => Promise<Response>,
    options?: { access?: "operator" | "open" },
  ): () => void;
}

export interface DeliveredRequest {
  readonly address: Address;
  /** The platform's ids of messages; at most 1,000. */
  readonly platformIds: readonly string[];
}

export interface TargetRequest {
  readonly address: Address;
  /** Who types. */
  readonly sender: Sender;
  /** The server that the chat belongs to, as in an `InboundMessage`. */
  readonly guild?: string;
  /** What stands there so far; may be empty. */
  readonly typed: string;
}

export interface TargetSuggestion {
  /** What the command is given. */
  readonly value: string;
  /** For people: name and state, at most 100 characters. */
  readonly label: string;
}

export interface HistoryRequest {
  readonly address: Address;
  /** Only what came after the message with this id. An unknown id throws a `RangeError`. */
  readonly after?: string;
  /** 1–1,000, default 200. Without `after` the newest ones are given. */
  readonly limit?: number;
}

export interface HistoryMessage {
  /** The platform's id of a received message, the delivery id (and part) of a delivered one. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly kind: "message" | DeliveryKind;
  readonly text: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
}
