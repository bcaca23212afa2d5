import {
  type Address,
  type ChannelConnection,
  type ChannelContext,
  type DeliveryReceipt,
  formatAddress,
  type HistoryMessage,
  type HistoryRequest,
  type InboundMessage,
  type LifecycleHooks,
  type OutboundMessage,
  type ReceiveOutcome,
} from "@banyan/plugin-sdk";
import { connectWebchat } from "../src/webchat-connection.ts";
import { ManualClock } from "./manual-clock.ts";
import { TestReader } from "./test-reader.ts";

interface Mount {
  readonly path: string;
  readonly access: string | undefined;
  serve(request: Request): Promise<Response>;
}

/** The web chat of one account whose gateway keeps what it received and delivered in arrays. */
export class TestChat {
  readonly clock: ManualClock = new ManualClock();
  readonly received: InboundMessage[] = [];
  readonly asked: HistoryRequest[] = [];
  readonly logged: string[] = [];
  readonly mounts: Mount[] = [];
  readonly stopping: AbortController = new AbortController();
  /** What the gateway makes of the next messages, instead of storing them. */
  refuses: "nothing" | "everything" | "by failing" = "nothing";
  /** Called after a message was stored and before the plugin is told so. */
  onStored: (() => void) | undefined;
  readonly #history = new Map<Address, HistoryMessage[]>();
  #connection: ChannelConnection | undefined;
  #lastId = 0;

  static async open(account = "default"): Promise<TestChat> {
    const chat = new TestChat();
    chat.#connection = await connectWebchat(chat.#buildContext(account), () => `made-${++chat.#lastId}`);
    return chat;
  }

  get connection(): ChannelConnection {
    if (this.#connection === undefined) throw new Error("The test chat was used: it is not open");
    return this.#connection;
  }

  /** As the gateway's server calls it. */
  async request(path: string, init?: RequestInit): Promise<Response> {
    const mount = this.mounts.find((each) => path.startsWith(each.path));
    if (mount === undefined) return new Response(null, { status: 404 });
    return mount.serve(new Request(`http://127.0.0.1:8787${path}`, init));
  }

  post(body: unknown): Promise<Response> {
    return this.postRaw(JSON.stringify(body));
  }

  postRaw(body: BodyInit, headers: Record<string, string> = {}): Promise<Response> {
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, headers, duplex: "half" };
    return this.request("/api/webchat/messages", init);
  }

  async read(query = ""): Promise<{ status: number; body: { messages?: HistoryMessage[]; error?: string } }> {
    const response = await this.request(`/api/webchat/messages${query}`);
    return { status: response.status, body: await response.json() };
  }

  async listen(peer = "operator"): Promise<TestReader> {
    return new TestReader(await this.request(`/api/webchat/events?peer=${peer}`));
  }

  /** What the outbox does with an answer: it is in the history first. */
  async answers(
    text: string,
    { deliveryId = "d1", part = 0, peer = "operator" }: { deliveryId?: string; part?: number; peer?: string } = {},
  ): Promise<DeliveryReceipt> {
    const address = buildAddress(peer);
    const id = `${deliveryId}.${part}`;
    this.#remember(address, { id, role: "assistant", kind: "reply", text, at: this.clock.now() });
    const message = { deliveryId, part, of: part + 1, address, kind: "reply", text, attempt: 1 } as const;
    return this.connection.send({ ...message, createdAt: this.clock.now(), mayHaveArrived: false });
  }

  grows(textSoFar: string, turnId = "t1"): void {
    this.connection.progress?.update({ turnId, address: buildAddress("operator"), textSoFar });
  }

  grown(turnId = "t1"): void {
    this.connection.progress?.end({ turnId, address: buildAddress("operator") });
  }

  #buildContext(account: string): ChannelContext<unknown> {
    const log = (_fields: object, message: string) => void this.logged.push(message);
    return {
      config: {},
      account,
      cursor: undefined,
      hooks: NO_HOOKS,
      log: { debug: log, info: log, warn: log, error: log },
      clock: this.clock,
      signal: this.stopping.signal,
      fetch: unexpected,
      http: {
        mount: (path, serve, options) => {
          const mount = { path, serve, access: options?.access };
          this.mounts.push(mount);
          return () => void this.mounts.splice(this.mounts.indexOf(mount), 1);
        },
      },
      commands: [],
      needsAllMessages: false,
      threadFallback: "reply",
      receive: (messages) => this.#receive(messages),
      migrateChat: unexpected,
      threadGone: unexpected,
      findDelivered: unexpected,
      suggestTargets: unexpected,
      history: async (request) => this.#read(request),
      report: unexpected,
    };
  }

  async #receive(messages: readonly InboundMessage[]): Promise<readonly ReceiveOutcome[]> {
    if (this.refuses === "by failing") throw new Error("The disk is full");
    const outcomes = messages.map((message): ReceiveOutcome => {
      if (this.refuses === "everything") return "refused";
      const { id, address, text, at } = message;
      const known = this.#history.get(address) ?? [];
      if (known.some((each) => each.role === "user" && each.id === id)) return "duplicate";
      this.received.push(message);
      this.#remember(address, { id, role: "user", kind: "message", text, at });
      return "stored";
    });
    this.onStored?.();
    // The gateway does other things before the plugin hears of it.
    await new Promise((resolve) => setImmediate(resolve));
    return outcomes;
  }

  #remember(address: Address, message: HistoryMessage): void {
    this.#history.set(address, [...(this.#history.get(address) ?? []), message]);
  }

  #read(request: HistoryRequest): readonly HistoryMessage[] {
    this.asked.push(request);
    const { address, after, limit = 200 } = request;
    const messages = this.#history.get(address) ?? [];
    if (after === undefined) return messages.slice(-limit);
    const place = messages.findIndex(({ id }) => id === after);
    if (place < 0) throw new RangeError("unknown");
    return messages.slice(place + 1, place + 1 + limit);
  }
}

export function buildAddress(peer: string): OutboundMessage["address"] {
  return formatAddress({ channel: "webchat", account: "default", kind: "dm", chat: peer });
}

function unexpected(): never {
  throw new Error("The web chat used a part of the context that it has no use for");
}

const noHook = { name: "none", tap: unexpected, tapPromise: unexpected };
const NO_HOOKS: LifecycleHooks = {
  gateway_start: noHook,
  gateway_stop: noHook,
  session_start: noHook,
  session_end: noHook,
  message_received: noHook,
  message_sending: noHook,
  before_turn: noHook,
  after_turn: noHook,
  before_tool_call: noHook,
  after_tool_call: noHook,
  before_compaction: noHook,
  after_compaction: noHook,
  subagent_spawning: noHook,
  subagent_spawned: noHook,
  subagent_ended: noHook,
  subagent_delivery_target: noHook,
  announce: noHook,
};
