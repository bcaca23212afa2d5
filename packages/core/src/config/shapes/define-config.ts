import type { DmScope } from "../../sessions/keys/dm-scope.ts";
import type { AcpInput } from "./acp-input.ts";
import type { BudgetsConfig } from "./budget-config.ts";
import type { DeliverySetting } from "./delivery-setting.ts";
import type { PricesConfig } from "./price-config.ts";
import type { ProviderInput } from "./provider-input.ts";
import type { QueueSetting } from "./queue-config.ts";
import type { SandboxLevel } from "./sandbox-level.ts";
import type { SubagentsInput } from "./subagents-input.ts";
import type { ThinkingLevel } from "./thinking-level.ts";
import type { ThreadFallback, ThreadNameSource } from "./thread-choice.ts";
import type { ToolBoundaries } from "./tool-boundaries.ts";
import type { ToolsInput } from "./tools-input.ts";

/**
 * The configuration as it is written in `banyan.config.ts` or `.json`. Every value but a token has a default, and every
 * text may be `"env:NAME"`, which reads the environment.
 */
export interface BanyanConfigInput {
  /** Where an editor finds the schema of the file. */
  readonly $schema?: string | undefined;
  /** Where everything is kept. Relative to the file. Default `./.banyan`. */
  readonly stateDir?: string | undefined;
  readonly server?: ServerInput | undefined;
  readonly log?: LogInput | undefined;
  readonly limits?: LimitsInput | undefined;
  /** Agents by id; `defaults` is no agent but what all of them start from. Default: `main`, the built-in program. */
  readonly agents?: Readonly<Record<string, AgentInput>> | undefined;
  /** Which agent answers where. The more exact match wins; among equals the first. */
  readonly routes?: readonly RouteInput[] | undefined;
  readonly session?: SessionInput | undefined;
  readonly queue?: QueueInput | undefined;
  /** Threads that are opened for sub-agents. */
  readonly threads?: ThreadsInput | undefined;
  /** Channels by id. */
  readonly channels?: Readonly<Record<string, ChannelInput>> | undefined;
  /** A package (`"irc"` is `banyan-channel-irc`) or a file relative to the configuration. */
  readonly plugins?: readonly (string | PluginInput)[] | undefined;
  readonly tools?: ToolsInput | undefined;
  /** What models cost, by name, in US dollars for a million tokens. */
  readonly prices?: PricesConfig | undefined;
  /** Where models answer, by a name of yours: `grove` for `model: "grove/small"`. */
  readonly providers?: Readonly<Record<string, ProviderInput>> | undefined;
  readonly store?: StoreInput | undefined;
}

export interface ServerInput {
  /** Default `127.0.0.1`. */
  readonly host?: string | undefined;
  /** Default 8787; 0 is any free one. */
  readonly port?: number | undefined;
  /** What the operator's pages ask for. Default: made at the first start and kept in the state directory. */
  readonly token?: string | undefined;
}

export interface LogInput {
  /** Default `info`. */
  readonly level?: LogLevel | undefined;
  /** Default `auto`: readable lines on a terminal, JSON elsewhere. */
  readonly pretty?: boolean | "auto" | undefined;
  /** Default `true`: also kept as JSON lines in `logs/` of the state directory, for `banyan logs`. */
  readonly file?: boolean | undefined;
}

export const LOG_LEVELS = ["debug", "info", "warn", "error", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** How many sub-agents there may be, over all agents. */
export interface LimitsInput {
  /** Sub-agents at work at once; one above it waits. Default 8. */
  readonly maxConcurrent?: number | undefined;
  /** Unfinished sub-agents below one conversation; one above it is refused. Default 64. */
  readonly maxTreeRuns?: number | undefined;
  /** How long an agent's question waits for its answer; none is a no. Default 10. */
  readonly answerMinutes?: number | undefined;
  /** How long the record of an ended sub-agent is kept. Default 30. */
  readonly runRetentionDays?: number | undefined;
  /** How long a line of the audit is kept. Default 90. */
  readonly auditRetentionDays?: number | undefined;
}

export interface AgentInput {
  /** Default: `ai` with a model, else `demo`. */
  readonly runtime?: string | undefined;
  /** `provider/model`, for the runtime `ai`. */
  readonly model?: string | undefined;
  /** Asked in this order where the model does not answer. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** How long its model may think. Default: as the provider likes. */
  readonly thinking?: ThinkingLevel | undefined;
  readonly instructions?: string | undefined;
  /** The folder that the agent's tools work in. Relative to the file. Default: the file's folder. */
  readonly workspace?: string | undefined;
  readonly tools?: AgentToolsInput | undefined;
  /** A turn that neither speaks nor calls a tool for this long is stopped, and its sender told. Default 600; 0 is never. */
  readonly turnTimeoutSeconds?: number | undefined;
  /**
   * Default `workspace`. The file tools stay inside the workspace at each level; `strict`: also no `exec` and no runtime
   * that is a process of its own. A sub-agent's is never below its parent's. A rule that the host keeps, not an isolation.
   */
  readonly sandbox?: SandboxLevel | undefined;
  readonly subagents?: SubagentsInput | undefined;
  /** What it may use up. Default: nothing is limited. */
  readonly budgets?: BudgetsConfig | undefined;
  /** With the runtime `acp`: the program that answers. */
  readonly acp?: AcpInput | undefined;
  /** Takes what no route matches. Needed on one agent when there are several. */
  readonly default?: boolean | undefined;
}

export interface AgentToolsInput {
  /** Default: all. */
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Tools that a person must allow in the chat, call by call; `*` for all. */
  readonly ask?: readonly string[] | undefined;
  /** Lets it run programs (the tool `exec`), with the rights of Banyan's own user. Default `false`. */
  readonly exec?: boolean | undefined;
  /** Where its tools end; a sub-agent is also held by its parents'. */
  readonly boundaries?: ToolBoundaries | undefined;
}

export interface RouteInput {
  readonly agent: string;
  readonly match: RouteMatchInput;
  readonly session?: { readonly dmScope?: DmScope | undefined } | undefined;
}

export interface RouteMatchInput {
  readonly channel: string;
  readonly account?: string | undefined;
  /** The platform's id of a server. */
  readonly guild?: string | number | undefined;
  /** With `guild`: ids of its roles; the sender has one of them. */
  readonly roles?: readonly (string | number)[] | undefined;
  /** In a group or channel also a thread, by its own id. */
  readonly peer?: { readonly kind: "dm" | "group" | "channel"; readonly id: string | number } | undefined;
}

export interface SessionInput {
  /** Default `per-sender`; `global` is one session for everybody and every agent. */
  readonly scope?: "per-sender" | "global" | undefined;
  /** Default `per-channel-peer`. */
  readonly dmScope?: DmScope | undefined;
  /** Says that several people may share a conversation under `main`, `per-peer` or `global`. Default `false`. */
  readonly acceptSharedDm?: boolean | undefined;
  /** `{ alice: ["telegram:7550356539"] }`: these accounts are one person. */
  readonly identityLinks?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** What a message does that arrives while a turn of its conversation runs. */
export interface QueueInput extends QueueSetting {
  /** Of a channel, by its id, over the one of all. */
  readonly byChannel?: Readonly<Record<string, QueueSetting>> | undefined;
}

export interface ThreadsInput {
  /** Default `true`. */
  readonly enabled?: boolean | undefined;
  /** A thread that nobody has written in for so long is archived. Default 24. */
  readonly idleHours?: number | "off" | undefined;
  /** Default `off`. */
  readonly maxAgeHours?: number | "off" | undefined;
  /** Where no thread can be opened: the sub-agent lives in the replies to a message of its own, or is refused. Default `reply`. */
  readonly fallback?: ThreadFallback | undefined;
  /** Default `label`. */
  readonly nameFrom?: ThreadNameSource | undefined;
}

export interface ChannelInput {
  readonly accounts?: Readonly<Record<string, AccountInput>> | undefined;
}

/** An account: the keys below, and the plugin's own beside them. */
export interface AccountInput {
  /** Default `true`. */
  readonly enabled?: boolean | undefined;
  /** Who may write to the bot in a DM. Default `pairing`: strangers get a code, and the operator lets them in. */
  readonly dmPolicy?: DmPolicy | undefined;
  /** The platform's stable ids, never user names. */
  readonly allowFrom?: readonly (string | number)[] | undefined;
  readonly groups?: GroupsInput | undefined;
  /** What differs here from the rules of all threads. */
  readonly threads?: ThreadsInput | undefined;
  /** Messages that are older when they come in are left out, and their sender is told. Default 24; 0 is no limit. */
  readonly catchUpHours?: number | undefined;
  /**
   * What becomes of a message whose sending was cut off, where the channel knows no repeat. Default `anchor` where it can edit
   * messages: a sub-agent's end stands there once; other messages are sent again, marked. `at-least-once`: all are.
   * `at-most-once`: none is, and what may be missing is reported.
   */
  readonly delivery?: DeliverySetting | undefined;
  readonly [pluginKey: string]: unknown;
}

export interface GroupsInput {
  /** In which groups and channels the bot takes part. Default `allowlist`. */
  readonly policy?: GroupPolicy | undefined;
  /** The platform's stable ids of chats, for `allowlist`. */
  readonly allow?: readonly (string | number)[] | undefined;
  /** The platform's stable ids of servers, for `allowlist`: all their chats are on it. */
  readonly guilds?: readonly (string | number)[] | undefined;
  /** Only what mentions the bot, answers it or is a command for it. Default `true`. */
  readonly requireMention?: boolean | undefined;
}

export const GROUP_POLICIES = ["allowlist", "open", "disabled"] as const;
export type GroupPolicy = (typeof GROUP_POLICIES)[number];

export const DM_POLICIES = ["pairing", "allowlist", "open", "disabled"] as const;
export type DmPolicy = (typeof DM_POLICIES)[number];

export interface PluginInput {
  readonly package: string;
  readonly config?: Readonly<Record<string, unknown>> | undefined;
}

export interface StoreInput {
  /** Default `sqlite`; `memory` forgets everything at the end. */
  readonly driver?: "sqlite" | "memory" | undefined;
  /** Default `full`: what is acknowledged survives a power cut; `normal`: a crash of the process alone. */
  readonly synchronous?: "full" | "normal" | undefined;
  /** Keeps the readable layout beside the database. Default `true`. */
  readonly readable?: boolean | undefined;
}

/** Gives a `banyan.config.ts` its types; it does nothing at run time. */
export function defineConfig(config: BanyanConfigInput): BanyanConfigInput {
  return config;
}
