import {
  type Address,
  type ChannelConnection,
  type ChannelError,
  formatAddress,
  type InboundMessage,
  type OutboundMessage,
  type ReceiveOutcome,
  type ToolCall,
  type ToolResult,
  type TranscriptEntry,
} from "@banyan/plugin-sdk";
import type { Claim, NewPairing, Step, Store } from "@banyan/store";
import type { CommitFault, InlineDatabase } from "@banyan/store-sqlite/inline";
import { createBudgetDesk } from "../../src/budgets/budget-desk.ts";
import type { Command } from "../../src/commands/command.ts";
import { type QueueSetting, resolveQueueRules } from "../../src/config/shapes/queue-config.ts";
import { createMoves, type GatewayMoves } from "../../src/gateway-moves.ts";
import { type CallableHooks, createLifecycleHooks } from "../../src/hooks/lifecycle-hooks.ts";
import type { AccessPolicy } from "../../src/inbound/access.ts";
import { CONTROL_COMMANDS } from "../../src/inbound/commands/control.ts";
import { CommandRegistry } from "../../src/inbound/commands.ts";
import type { RouteCheck } from "../../src/inbound/links.ts";
import { Inbound } from "../../src/inbound/receive.ts";
import { createRouteState, type RouteState } from "../../src/inbound/route-state.ts";
import { LaneScheduler } from "../../src/lanes/lane-scheduler.ts";
import { createOutbox, type Outbox } from "../../src/outbound/outbox.ts";
import { createDeadlines } from "../../src/ports/deadlines.ts";
import { QuestionDesk } from "../../src/questions/question-desk.ts";
import { parseIdentityLinks } from "../../src/sessions/keys/identity-links.ts";
import { createSessionCache, type SessionCache } from "../../src/sessions/session-cache.ts";
import { parseEntry } from "../../src/sessions/transcript.ts";
import type { TurnParts } from "../../src/turns/turn-parts.ts";
import { Turns } from "../../src/turns/turns.ts";
import { quiet } from "../manual-clock.ts";
import { openTestStore } from "../open-test-store.ts";
import { createTestPorts, type TestPorts } from "../ports/test-ports.ts";
import { buildPlayedAgent } from "./played-agent.ts";
import { buildPlayedChannel } from "./played-channel.ts";
import { createPlayedRuntime, type PlayedRuntime } from "./played-runtime.ts";
import { shortenPart } from "./short-part.ts";

export const ADA = "agent:main:irc:dm:ada";
const PLACE = { channel: "irc", account: "default" } as const;

export interface CoreDeskOptions {
  readonly fault?: CommitFault;
  /** What an earlier process left. */
  readonly data?: InlineDatabase;
  readonly connection?: Pick<ChannelConnection, "typing" | "progress">;
  readonly faultPoint?: (name: string) => void;
  readonly commands?: readonly Command[] | ((desk: CoreDesk) => readonly Command[]);
  readonly scrub?: (text: string) => string;
  /** What routing decides by changes with each look at it. */
  readonly isAlwaysStale?: boolean;
  readonly checkRoutes?: RouteCheck;
}

/** The way of a message through the core, from receive to outbox, with an agent and a platform that a test plays. */
export class CoreDesk {
  readonly ports: TestPorts;
  readonly store: Store;
  readonly hooks: CallableHooks;
  readonly outbox: Outbox = createOutbox();
  readonly sessions: SessionCache = createSessionCache();
  readonly runtime: PlayedRuntime = createPlayedRuntime();
  readonly turns: Turns;
  queue: QueueSetting = {};
  readonly lanes: LaneScheduler;
  readonly inbound: Inbound;
  readonly routeState: RouteState;
  readonly moves: GatewayMoves;
  /** Why the platform does not take a message. */
  refuse: (message: OutboundMessage) => ChannelError | undefined = () => undefined;
  answered: (message: OutboundMessage) => Promise<void> = async () => undefined;
  readonly sent: OutboundMessage[] = [];
  /** Steps that were committed, in order. */
  readonly steps: Step[] = [];
  readonly ran: ToolCall[] = [];
  /** Strangers who were given a code. */
  readonly paired: NewPairing[] = [];
  access: AccessPolicy = {
    dmPolicy: "allowlist",
    allowFrom: new Set(["ada", "bob"]),
    groups: { policy: "allowlist", allow: new Set(["grove"]), guilds: new Set(), requireMention: true },
    catchUpMs: 24 * 3_600_000,
    isOperatorOnly: false,
  };
  runTool: (call: ToolCall) => Promise<ToolResult> = async ({ name }) => ({ text: `${name} ran`, isError: false });
  getRuntime: TurnParts["getRuntime"] = async () => this.runtime;
  readonly #stopping = new AbortController();
  #messages = 0;

  constructor(options: CoreDeskOptions = {}) {
    const { fault = () => "none", faultPoint, scrub, data, connection, commands = CONTROL_COMMANDS } = options;
    this.ports = createTestPorts({ ...(faultPoint && { faultPoint }), ...(scrub && { scrub }) });
    const recorded: CommitFault = (step, when) => {
      if (when === "after") this.steps.push(step);
      return fault(step, when);
    };
    this.store = openTestStore({
      clock: this.ports.clock,
      fault: recorded,
      ...(data === undefined ? {} : { data }),
    });
    this.hooks = createLifecycleHooks(this.ports);
    const parts = this.#buildParts(connection);
    this.turns = new Turns(parts);
    this.lanes = new LaneScheduler({
      store: this.store,
      ports: this.ports,
      owner: parts.owner,
      runTurn: (claim: Claim) => this.turns.run(claim),
      findRevision: (lane) => this.sessions.find(lane)?.revision,
      signal: this.#stopping.signal,
    });
    const routeState = createRouteState(this.store, parseIdentityLinks({}));
    const never = { view: { ...routeState.view, revision: -1 }, refresh: () => routeState.refresh() };
    this.routeState = options.isAlwaysStale ? never : routeState;
    this.inbound = new Inbound({
      ...parts.runs,
      getAgent: parts.getAgent,
      getQueueRules: parts.getQueueRules,
      lanes: this.lanes,
      routes: { routes: [], defaultAgent: "main", scope: "per-sender", dmScope: "per-channel-peer" },
      routeState: this.routeState,
      commands: new CommandRegistry(typeof commands === "function" ? commands(this) : commands),
      onPairing: (pairing) => void this.paired.push(pairing),
    });
    const { turns, lanes, inbound } = this;
    this.moves = createMoves({ ...parts, turns, lanes, inbound, routeState: this.routeState });
  }

  /** The account is connected: deliveries go out. */
  async connect(): Promise<this> {
    const outbox = this.outbox.open({
      ...PLACE,
      owner: "owner",
      store: this.store,
      ports: this.ports,
      deadlines: createDeadlines(this.ports.clock, 120_000),
      announce: (announcement) => this.hooks.announce.call(announcement),
      signal: this.#stopping.signal,
      onUnauthorized: () => undefined,
      onMigrated: (move) => this.moves.migrateChat(move),
    });
    const send = async (message: OutboundMessage) => {
      const refusal = this.refuse(message);
      if (refusal !== undefined) throw refusal;
      this.sent.push(message);
      await this.answered(message);
      return { platformId: message.deliveryId };
    };
    outbox.connect({ send });
    await quiet();
    return this;
  }

  message(text: string, more: Partial<InboundMessage> = {}): InboundMessage {
    this.#messages += 1;
    const sender = more.sender ?? { id: "ada" };
    return {
      id: `m${this.#messages}`,
      address: addressOf(sender.id),
      sender,
      text,
      at: this.ports.clock.now(),
      ...more,
    };
  }

  /** Takes messages in and waits until nothing more happens by itself. */
  async receive(
    messages: readonly InboundMessage[],
    cursor?: string,
    platformNow?: number,
  ): Promise<readonly ReceiveOutcome[]> {
    const outcomes = await this.inbound.receive({ ...PLACE, access: this.access }, messages, cursor, platformNow);
    await quiet();
    return outcomes;
  }

  says(text: string, from = "ada"): Promise<readonly ReceiveOutcome[]> {
    return this.receive([this.message(text, { sender: { id: from } })]);
  }

  heard(by = "ada"): readonly string[] {
    return this.sent.filter(({ address }) => address === addressOf(by)).map(({ text }) => text);
  }

  async transcript(sessionKey: string = ADA): Promise<readonly TranscriptEntry[]> {
    const session = await this.store.read.session(sessionKey);
    const rows = await this.store.read.entries({ sessionId: session?.sessionId ?? "", limit: 10_000 });
    return rows.map(parseEntry);
  }

  /** A transcript in short: kind and text or name of each entry. */
  async lines(sessionKey: string = ADA): Promise<readonly string[]> {
    return (await this.transcript(sessionKey)).map(({ kind, role, content: [part] }) => {
      return `${kind === "message" ? role : kind}: ${part === undefined ? "" : shortenPart(part)}`;
    });
  }

  #buildParts(connection: CoreDeskOptions["connection"]): TurnParts {
    const base = {
      store: this.store,
      ports: this.ports,
      owner: "owner",
      hooks: this.hooks,
      outbox: this.outbox,
      sessions: this.sessions,
      signal: this.#stopping.signal,
      getQueueRules: () => resolveQueueRules(this.queue, undefined),
      getRuntime: (id: string) => this.getRuntime(id),
      getChannel: () => buildPlayedChannel(connection),
    };
    const runs = {
      ...base,
      stopTurn: (lane: string, isClaimed: boolean) => this.turns.stop(lane, isClaimed),
      wakeLanes: (lanes: readonly string[]) => void lanes.map((lane) => this.lanes.wake(lane)),
      wakeTimers: () => undefined,
    };
    return {
      ...base,
      runs,
      questions: new QuestionDesk({ ...base, answerMs: 600_000, wakeTimers: runs.wakeTimers }),
      budgets: createBudgetDesk({ read: this.store.read, now: () => this.ports.clock.now() }),
      prices: { price: async (usage) => usage, priceNow: (usage) => usage },
      rest: (lane, work) => this.lanes.rest(lane, work),
      noteProgress: (lane) => this.lanes.noteProgress(lane),
      readAttachment: async () => undefined,
      tools: {
        isRepeatable: (name) => !name.startsWith("once_"),
        describe: () => [],
        call: async (call, { begin }) => {
          await begin();
          this.ran.push(call);
          return this.runTool(call);
        },
      },
      getAgent: buildPlayedAgent,
    };
  }
}

export function addressOf(person: string): Address {
  return formatAddress({ ...PLACE, kind: "dm", chat: person });
}
