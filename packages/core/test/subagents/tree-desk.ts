import {
  type Address,
  CHANNEL_API_VERSION,
  type ChannelContext,
  type ChannelError,
  type ChannelPlugin,
  type EditsAbility,
  formatAddress,
  type OutboundMessage,
  type RunEvent,
  type ThreadsAbility,
  type ToolResult,
  type TranscriptEntry,
  type TurnInput,
} from "@banyan/plugin-sdk";
import type { RunRow, Step, Store } from "@banyan/store";
import type { CommitFault, InlineDatabase } from "@banyan/store-sqlite/inline";
import { onTestFinished } from "vitest";
import type { AgentConfig } from "../../src/config/config.ts";
import { Gateway } from "../../src/gateway.ts";
import type { GatewayOptions } from "../../src/gateway-options.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { parseEntry } from "../../src/sessions/transcript.ts";
import { quiet } from "../manual-clock.ts";
import { openTestData, openTestStore } from "../open-test-store.ts";
import { createTestPorts, type TestPorts } from "../ports/test-ports.ts";
import { createPlayedRuntime, type PlayedRuntime, says } from "../turns/played-runtime.ts";

export const ADA = "agent:main:irc:dm:ada";

/** What an agent does in a turn; `call` runs a tool with the next ordinal. */
export type Player = (turn: {
  readonly input: TurnInput;
  readonly text: string;
  readonly signal: AbortSignal;
  call(name: string, args: unknown): Promise<ToolResult>;
}) => Promise<string> | string;

export interface TreeDeskOptions {
  readonly agents?: Readonly<Record<string, AgentConfig>>;
  readonly fault?: CommitFault;
  readonly data?: InlineDatabase;
  readonly options?: Partial<GatewayOptions>;
  readonly faultPoint?: (name: string) => void;
  readonly ports?: TestPorts;
  /** The account opens threads. */
  readonly threads?: ThreadsAbility;
  /** The account edits its messages. */
  readonly edits?: EditsAbility;
  /** By default `at-least-once`. */
  readonly delivery?: ChannelPlugin["capabilities"]["delivery"];
  /** The account is connected behind it. */
  readonly connecting?: Promise<void>;
}

const OPEN_ACCESS = {
  dmPolicy: "open",
  allowFrom: new Set<string>(),
  groups: { policy: "open", allow: new Set<string>(), guilds: new Set<string>(), requireMention: false },
  catchUpMs: 0,
  isOperatorOnly: false,
} as const;

/** A whole gateway over a store in memory. Its agents are played by functions: the first whose pattern fits the input. */
export class TreeDesk {
  readonly ports: TestPorts;
  readonly data: InlineDatabase;
  readonly store: Store;
  readonly gateway: Gateway;
  readonly steps: Step[] = [];
  readonly sent: OutboundMessage[] = [];
  readonly turns: TurnInput[] = [];
  readonly runtime: PlayedRuntime = this.#buildRuntime();
  /** Told so far, which gives the next one its id; a test that goes on with another desk's data counts on. */
  messages = 0;
  refuse: (message: OutboundMessage) => ChannelError | undefined = () => undefined;
  readonly #players: [RegExp, Player][] = [];
  context: ChannelContext<unknown> | undefined;
  readonly #account: Pick<TreeDeskOptions, "threads" | "edits" | "delivery" | "connecting">;
  #isDead = false;

  constructor(given: TreeDeskOptions = {}) {
    const { agents, fault = () => "none", data, options, faultPoint, ports } = given;
    this.ports = ports ?? createTestPorts(faultPoint === undefined ? {} : { faultPoint });
    this.#account = given;
    this.data = data ?? openTestData();
    this.store = openTestStore({
      clock: this.ports.clock,
      data: this.data,
      fault: (step, when) => {
        if (when === "after") this.steps.push(step);
        return this.#isDead ? "closed" : fault(step, when);
      },
    });
    this.gateway = new Gateway({
      store: this.store,
      ports: this.ports,
      // How long a turn takes is the test's own.
      agents: agents ?? {
        main: { runtime: "played", workspace: "/workspace", tools: { deny: [] }, turnTimeoutSeconds: 0 },
      },
      routes: { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "per-channel-peer" },
      identityLinks: parseIdentityLinks({}),
      channels: [{ plugin: this.#buildPlugin(), accounts: [{ name: "default", config: {}, access: OPEN_ACCESS }] }],
      runtimes: { played: async () => this.runtime },
      server: { host: "127.0.0.1", port: 0, token: "a-token-of-the-tree-test" },
      openServer: async () => ({
        port: 0,
        url: "http://nowhere",
        mount: () => () => undefined,
        close: async () => undefined,
      }),
      version: "0",
      ...options,
    });
    onTestFinished(() => this.stop());
  }

  async start(): Promise<this> {
    await this.gateway.start();
    await quiet();
    return this;
  }

  async stop(): Promise<void> {
    const stopped = this.gateway.stop();
    await this.ports.clock.advance(20_000);
    await stopped;
  }

  /** The process dies: from now on it writes nothing. */
  crash(): void {
    this.#isDead = true;
  }

  /** So much time goes by. */
  async later(byMs: number): Promise<void> {
    await this.ports.clock.advance(byMs);
    await this.rest();
  }

  /** The agent does this in a turn whose input holds the pattern; later ones come before earlier ones. */
  plays(pattern: RegExp, player: Player): this {
    this.#players.unshift([pattern, player]);
    return this;
  }

  async says(text: string, from = "ada"): Promise<void> {
    await this.saysAt(addressOf(from), text, from);
  }

  /** Somewhere else than in the direct chat. */
  async saysAt(address: Address, text: string, from = "ada"): Promise<void> {
    this.messages += 1;
    const message = { id: `m${this.messages}`, address, sender: { id: from }, text, at: this.ports.clock.now() };
    await this.context?.receive([message]);
    await this.rest();
  }

  /** Until nothing more happens by itself. */
  async rest(): Promise<void> {
    for (let steps = -1; steps !== this.steps.length; ) {
      steps = this.steps.length;
      await quiet();
      await quiet();
    }
  }

  heard(by = "ada"): readonly string[] {
    return this.sent.filter(({ address }) => address === addressOf(by)).map(({ text }) => text);
  }

  heardAt(place: Address): readonly string[] {
    return this.sent.filter(({ address }) => address === place).map(({ text }) => text);
  }

  runs(): Promise<readonly RunRow[]> {
    return this.store.read.runs({ limit: 1_000 });
  }

  async transcript(sessionKey: string = ADA): Promise<readonly TranscriptEntry[]> {
    const session = await this.store.read.session(sessionKey);
    const rows = await this.store.read.entries({ sessionId: session?.sessionId ?? "", limit: 10_000 });
    return rows.map(parseEntry);
  }

  /** A transcript in short. */
  async lines(sessionKey: string = ADA): Promise<readonly string[]> {
    return (await this.transcript(sessionKey)).flatMap(({ kind, role, content }) =>
      content.map((part) => {
        const who = kind === "message" ? role : kind;
        if (part.type === "completion") return `${who}: ${part.completion.outcome} ${part.completion.result}`;
        return `${who}: ${"text" in part ? part.text : "name" in part ? part.name : part.id}`;
      }),
    );
  }

  #buildRuntime(): PlayedRuntime {
    const runtime = createPlayedRuntime();
    runtime.play = ({ input, signal }) => this.#play(input, signal);
    return runtime;
  }

  async *#play(input: TurnInput, signal: AbortSignal): AsyncGenerator<RunEvent> {
    this.turns.push(input);
    const text = input.input.map((message) => message.text).join("\n");
    const player = this.#players.find(([pattern]) => pattern.test(text))?.[1];
    let ordinal = 0;
    const call = (name: string, args: unknown) => {
      ordinal += 1;
      return input.callTool({ ordinal: ordinal - 1, name, args });
    };
    const answer = await (player?.({ input, text, signal, call }) ?? `re: ${text}`);
    yield* says(answer);
  }

  #buildPlugin(): ChannelPlugin {
    const { threads, edits, delivery = "at-least-once" } = this.#account;
    return {
      id: "irc",
      apiVersion: CHANNEL_API_VERSION,
      capabilities: {
        kinds: ["dm", "group"],
        text: { limit: 4_000, measure: (text) => text.length },
        threads: threads !== undefined,
        edits: edits !== undefined,
        delivery,
      },
      config: { "~standard": { version: 1, vendor: "test", validate: (value) => ({ value }) } },
      connect: async (context) => {
        this.context = context;
        await this.#account.connecting;
        return {
          send: async (message) => {
            const refusal = this.refuse(message);
            if (refusal !== undefined) throw refusal;
            this.sent.push(message);
            return { platformId: message.deliveryId };
          },
          close: async () => undefined,
          ...(threads && { threads }),
          ...(edits && { edits }),
        };
      },
    };
  }
}

export function addressOf(person: string): Address {
  return formatAddress({ channel: "irc", account: "default", kind: "dm", chat: person });
}

/** What a spawning call answered. */
export function readSpawned(result: ToolResult): { readonly runId: string; readonly childSessionKey: string } {
  return JSON.parse(result.text);
}
