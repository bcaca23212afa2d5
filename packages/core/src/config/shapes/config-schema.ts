import { z } from "zod";
import { DEFAULT_DM_SCOPE, DM_SCOPES, type DmScope } from "../../sessions/keys/dm-scope.ts";
import type { StoreConfig } from "../config.ts";
import {
  type AccountInput,
  type AgentInput,
  type BanyanConfigInput,
  DM_POLICIES,
  GROUP_POLICIES,
  LOG_LEVELS,
  type LogLevel,
  type PluginInput,
  type RouteInput,
} from "./define-config.ts";

/** What the schema makes of an input: sections and their plain defaults are there; names and ids are not judged yet. */
export interface CheckedInput {
  readonly stateDir: string;
  readonly server: { readonly host: string; readonly port: number; readonly token?: string | undefined };
  readonly log: { readonly level: LogLevel; readonly pretty: boolean | "auto" };
  readonly agents: Readonly<Record<string, AgentInput>>;
  readonly routes: readonly RouteInput[];
  readonly session: {
    readonly scope: "per-sender" | "global";
    readonly dmScope: DmScope;
    readonly acceptSharedDm: boolean;
    readonly identityLinks: Readonly<Record<string, readonly string[]>>;
  };
  readonly queue: { readonly mode: "followup" };
  readonly channels: Readonly<Record<string, { readonly accounts: Readonly<Record<string, AccountInput>> }>>;
  readonly plugins: readonly (string | PluginInput)[];
  readonly store: StoreConfig;
}

const PORT_LIMIT = 65_535;
/** A year: who means longer means 0. */
const LONGEST_CATCH_UP_HOURS = 8_784;
const SHORTEST_TOKEN_CHARS = 6;

const text = z.string().trim().min(1);
const idText = z.union([text, z.number()]);
const dmScope = z.enum(DM_SCOPES);

const server = z.strictObject({
  host: text.default("127.0.0.1"),
  port: z.int().min(0).max(PORT_LIMIT).default(8787),
  // A shorter one is soon guessed, and too common a word to be kept out of the logs.
  token: text.min(SHORTEST_TOKEN_CHARS).optional(),
});

const log = z.strictObject({
  level: z.enum(LOG_LEVELS).default("info"),
  pretty: z.union([z.boolean(), z.literal("auto")]).default("auto"),
});

const agent = z.strictObject({
  runtime: text.optional(),
  instructions: z.string().optional(),
  workspace: text.optional(),
  tools: z.strictObject({ allow: z.array(text).optional(), deny: z.array(text).optional() }).optional(),
  default: z.boolean().optional(),
});

const route = z.strictObject({
  agent: text,
  match: z.strictObject({
    channel: text,
    account: text.optional(),
    guild: idText.optional(),
    peer: z.strictObject({ kind: z.enum(["dm", "group", "channel"]), id: idText }).optional(),
  }),
  session: z.strictObject({ dmScope: dmScope.optional() }).optional(),
});

const session = z.strictObject({
  scope: z.enum(["per-sender", "global"]).default("per-sender"),
  dmScope: dmScope.default(DEFAULT_DM_SCOPE),
  acceptSharedDm: z.boolean().default(false),
  identityLinks: z.record(z.string(), z.array(z.string())).default({}),
});

/** Loose: what the core does not know is the plugin's, which judges it when it is loaded. */
const account = z.looseObject({
  enabled: z.boolean().optional(),
  dmPolicy: z.enum(DM_POLICIES).optional(),
  allowFrom: z.array(idText).optional(),
  groups: z
    .strictObject({
      policy: z.enum(GROUP_POLICIES).optional(),
      allow: z.array(idText).optional(),
      requireMention: z.boolean().optional(),
    })
    .optional(),
  catchUpHours: z.number().min(0).max(LONGEST_CATCH_UP_HOURS).optional(),
});

/** The keys of an account that are the core's. */
export const ACCOUNT_KEYS: readonly string[] = Object.keys(account.shape);

const channel = z.strictObject({ accounts: z.record(z.string(), account).default({}) });

const plugin = z.union([text, z.strictObject({ package: text, config: z.record(z.string(), z.unknown()).optional() })]);

const store = z.strictObject({
  driver: z.enum(["sqlite", "memory"]).default("sqlite"),
  synchronous: z.enum(["full", "normal"]).default("full"),
  readable: z.boolean().default(true),
});

/** What works now. What comes later is taken out before (`refuseLaterFeatures`), so that its reason can be told. */
export const configSchema: z.ZodType<CheckedInput, BanyanConfigInput> = z.strictObject({
  $schema: z.string().optional(),
  stateDir: text.default("./.banyan"),
  server: server.prefault({}),
  log: log.prefault({}),
  agents: z.record(z.string(), agent).default({}),
  routes: z.array(route).default([]),
  session: session.prefault({}),
  queue: z.strictObject({ mode: z.literal("followup").default("followup") }).prefault({}),
  channels: z.record(z.string(), channel).default({}),
  plugins: z.array(plugin).default([]),
  tools: z.strictObject({}).optional(),
  store: store.prefault({}),
});
