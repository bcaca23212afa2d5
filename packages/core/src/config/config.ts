import type { AcpSettings } from "@banyan/plugin-sdk";
import type { DmScope } from "../sessions/keys/dm-scope.ts";
import type { IdentityLinksRecord } from "../sessions/keys/identity-links.ts";
import type { BudgetsConfig } from "./shapes/budget-config.ts";
import type { DmPolicy, GroupPolicy, LogLevel } from "./shapes/define-config.ts";
import type { DeliverySetting } from "./shapes/delivery-setting.ts";
import type { PricesConfig } from "./shapes/price-config.ts";
import type { QueueConfig } from "./shapes/queue-config.ts";
import type { SandboxLevel } from "./shapes/sandbox-level.ts";
import type { SessionVisibility } from "./shapes/session-visibility.ts";
import type { ThinkingLevel } from "./shapes/thinking-level.ts";
import type { ThreadFallback, ThreadNameSource } from "./shapes/thread-choice.ts";
import type { ToolBoundaries } from "./shapes/tool-boundaries.ts";

/** The effective configuration: every default filled in, every path absolute, every name checked. Immutable. */
export interface Config {
  /** Absolute. */
  readonly stateDir: string;
  readonly server: ServerConfig;
  readonly log: { readonly level: LogLevel; readonly pretty: boolean | "auto"; readonly file: boolean };
  readonly limits: LimitsConfig;
  /** By id; at least one. */
  readonly agents: Readonly<Record<string, AgentConfig>>;
  /** A key of `agents`. */
  readonly defaultAgent: string;
  /** The most exact first: the first that matches is the answer. */
  readonly routes: readonly RouteConfig[];
  readonly session: SessionConfig;
  readonly queue: QueueConfig;
  readonly threads: ThreadsConfig;
  /** By channel id. */
  readonly channels: Readonly<Record<string, ChannelConfig>>;
  readonly plugins: readonly PluginEntry[];
  readonly tools: ToolsConfig;
  /** By model. */
  readonly prices: PricesConfig;
  /** Where models answer, by the names that models begin with. */
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  /** What an agent of the runtime `ai` asks that names no model; `undefined`: each names one. */
  readonly usualModel?: string | undefined;
  readonly store: StoreConfig;
}

export interface ProviderConfig {
  readonly kind: "openai-compatible" | "anthropic";
  /** With `anthropic` it may be absent. */
  readonly baseUrl?: string | undefined;
  readonly apiKey?: string | undefined;
  /** In tokens. */
  readonly contextWindow?: number | undefined;
  /** Absent: by the model's name. */
  readonly images?: boolean | undefined;
  /** Further ones that sub-agents may be given, without the provider's name. */
  readonly models: readonly string[];
}

export interface ServerConfig {
  readonly host: string;
  /** 0 is any free one. */
  readonly port: number;
  readonly token?: string | undefined;
}

export interface AgentConfig {
  readonly runtime: string;
  /** `provider/model`; absent: the runtime chooses. */
  readonly model?: string | undefined;
  readonly fallbackModels?: readonly string[] | undefined;
  readonly thinking?: ThinkingLevel | undefined;
  readonly instructions?: string | undefined;
  /** Absolute. */
  readonly workspace: string;
  /** Without `allow` all tools are allowed; `deny` wins. Those of `ask` a person must allow, call by call. */
  readonly tools: {
    readonly allow?: readonly string[] | undefined;
    readonly deny: readonly string[];
    readonly ask?: readonly string[] | undefined;
    /** Absent: off. Also `allow` and `deny` hold. */
    readonly exec?: boolean | undefined;
    readonly boundaries?: ToolBoundaries | undefined;
  };
  /** 0: never. Absent: the default, which `getTurnTimeoutMs` fills in. */
  readonly turnTimeoutSeconds?: number | undefined;
  /** Absent: `workspace`. */
  readonly sandbox?: SandboxLevel | undefined;
  /** With the runtime `acp`. */
  readonly acp?: AcpSettings | undefined;
  /** What is absent has its default: `getSubagentRules` fills it in. */
  readonly subagents?: Partial<SubagentsConfig> | undefined;
  /** Absent: nothing is limited. */
  readonly budgets?: BudgetsConfig | undefined;
}

export interface SubagentsConfig {
  readonly maxSpawnDepth: number;
  readonly maxChildrenPerAgent: number;
  /** Keys of `agents`, or `*`. */
  readonly allowAgents: readonly string[];
  readonly requireAgentId: boolean;
  /** 0: as long as it takes. */
  readonly runTimeoutSeconds: number;
  /** 0: whatever is asked for. */
  readonly maxRunTimeoutSeconds: number;
  /** 0: not by itself. */
  readonly archiveAfterMinutes: number;
  readonly announceTimeoutMs: number;
  readonly model?: string;
  readonly thinking?: string;
}

export interface LimitsConfig {
  readonly maxConcurrent: number;
  readonly maxTreeRuns: number;
  readonly answerMinutes: number;
  readonly runRetentionDays: number;
  readonly auditRetentionDays: number;
}

export interface ThreadsConfig {
  readonly enabled: boolean;
  readonly idleHours: number | "off";
  readonly maxAgeHours: number | "off";
  readonly fallback: ThreadFallback;
  readonly nameFrom: ThreadNameSource;
}

/** The section `tools`; what single agents may use stands with them. */
export interface ToolsConfig {
  readonly sessions: { readonly visibility: SessionVisibility };
  readonly agentToAgent: AgentToAgentConfig;
  readonly attachments: AttachmentsConfig;
}

/** How much agents may fetch of the files that people send. */
export interface AttachmentsConfig {
  /** Of one file. */
  readonly limitBytes: number;
  /** Of all files that one turn saves. */
  readonly turnLimitBytes: number;
}

export interface AgentToAgentConfig {
  readonly enabled: boolean;
  /** Keys of `agents`, or `*`. */
  readonly allow: readonly string[];
}

/** Which sessions the session tools reach. */
export interface SessionToolsConfig {
  readonly visibility: SessionVisibility;
  readonly agentToAgent: AgentToAgentConfig;
}

export interface RouteConfig {
  /** A key of `agents`. */
  readonly agent: string;
  readonly match: RouteMatch;
  readonly session?: { readonly dmScope?: DmScope | undefined } | undefined;
}

export interface RouteMatch {
  readonly channel: string;
  readonly account?: string | undefined;
  readonly guild?: string | undefined;
  /** Only with `guild`; at least one. */
  readonly roles?: readonly string[] | undefined;
  readonly peer?: { readonly kind: "dm" | "group" | "channel"; readonly id: string } | undefined;
}

export interface SessionConfig {
  readonly scope: "per-sender" | "global";
  readonly dmScope: DmScope;
  readonly acceptSharedDm: boolean;
  /** Checked: `parseIdentityLinks` takes it without an error. */
  readonly identityLinks: IdentityLinksRecord;
}

export interface ChannelConfig {
  /** By account name. */
  readonly accounts: Readonly<Record<string, AccountConfig>>;
}

export interface AccountConfig {
  readonly enabled: boolean;
  readonly dmPolicy: DmPolicy;
  readonly allowFrom: readonly string[];
  readonly groups: GroupsConfig;
  /** What differs from the section `threads`. */
  readonly threads?: Partial<ThreadsConfig>;
  /** 0: whatever comes in is taken, however old. */
  readonly catchUpHours: number;
  /** Absent: the best that the channel can do. */
  readonly delivery?: DeliverySetting;
  /** The plugin's own keys as written; `parseAccountConfig` judges them once the plugin is loaded. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export interface GroupsConfig {
  readonly policy: GroupPolicy;
  readonly allow: readonly string[];
  readonly guilds: readonly string[];
  readonly requireMention: boolean;
}

export interface PluginEntry {
  /** As written: `irc`, `@scope/banyan-channel-x`, `./file.ts`. */
  readonly package: string;
  readonly config: Readonly<Record<string, unknown>>;
}

export interface StoreConfig {
  readonly driver: "sqlite" | "memory";
  readonly synchronous: "full" | "normal";
  readonly readable: boolean;
}

/** Makes a record that has the given keys and no other: `constructor` is not found in it. */
export function buildRecord<Value>(entries: Iterable<readonly [string, Value]>): Readonly<Record<string, Value>> {
  const record: Record<string, Value> = Object.fromEntries(entries);
  Object.setPrototypeOf(record, null);
  return record;
}
