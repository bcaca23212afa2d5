import type { DmScope } from "../../sessions/keys/dm-scope.ts";
import type { LimitsConfig, StoreConfig, ThreadsConfig, ToolsConfig } from "../config.ts";
import type { AccountInput, AgentInput, LogLevel, PluginInput, RouteInput } from "./define-config.ts";
import type { PricesConfig } from "./price-config.ts";
import type { ProviderInput } from "./provider-input.ts";
import type { QueueConfig } from "./queue-config.ts";

/** What the schema makes of an input: sections and their plain defaults are there; names and ids are not judged yet. */
export interface CheckedInput {
  readonly stateDir: string;
  readonly server: { readonly host: string; readonly port: number; readonly token?: string | undefined };
  readonly log: { readonly level: LogLevel; readonly pretty: boolean | "auto"; readonly file: boolean };
  readonly limits: LimitsConfig;
  readonly agents: Readonly<Record<string, AgentInput>>;
  readonly routes: readonly RouteInput[];
  readonly session: {
    readonly scope: "per-sender" | "global";
    readonly dmScope: DmScope;
    readonly acceptSharedDm: boolean;
    readonly identityLinks: Readonly<Record<string, readonly string[]>>;
  };
  readonly queue: QueueConfig;
  readonly threads: ThreadsConfig;
  readonly channels: Readonly<Record<string, { readonly accounts: Readonly<Record<string, AccountInput>> }>>;
  readonly plugins: readonly (string | PluginInput)[];
  readonly tools: ToolsConfig;
  readonly prices: PricesConfig;
  readonly providers: Readonly<Record<string, ProviderInput>>;
  readonly store: StoreConfig;
}
