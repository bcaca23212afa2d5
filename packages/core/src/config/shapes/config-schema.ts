import { z } from "zod";
import { DEFAULT_DM_SCOPE, DM_SCOPES } from "../../sessions/keys/dm-scope.ts";
import { acpSchema } from "./acp-config.ts";
import { DEFAULT_ATTACHMENTS } from "./attachments-config.ts";
import { boundariesSchema } from "./boundaries-config.ts";
import { budgetsSchema } from "./budget-config.ts";
import type { CheckedInput } from "./checked-input.ts";
import { type BanyanConfigInput, DM_POLICIES, GROUP_POLICIES, LOG_LEVELS } from "./define-config.ts";
import { DELIVERY_SETTINGS } from "./delivery-setting.ts";
import { RESUME_PLACES } from "./interrupt-setting.ts";
import { DEFAULT_LIMITS } from "./limits-config.ts";
import { pricesSchema } from "./price-config.ts";
import { providerSchema } from "./provider-schema.ts";
import { DROP_POLICIES, QUEUE_MODES } from "./queue-config.ts";
import { SANDBOX_LEVELS } from "./sandbox-level.ts";
import { DEFAULT_SESSION_TOOLS } from "./session-tools-config.ts";
import { SESSION_VISIBILITIES } from "./session-visibility.ts";
import { THINKING_LEVELS } from "./thinking-level.ts";
import { THREAD_FALLBACKS, THREAD_NAMES } from "./thread-choice.ts";
import { DEFAULT_THREADS } from "./thread-rules.ts";

const PORT_LIMIT = 65_535;
/** A year: who means longer means 0. */
const LONGEST_CATCH_UP_HOURS = 8_784;
const SHORTEST_TOKEN_CHARS = 6;
/** Deeper trees are a mistake, and the deepest still fits a screen. */
const DEEPEST_SPAWN = 8;
const MOST_CHILDREN = 100;
const MOST_RUNS = 10_000;
/** A list that names more agents means `*`. */
const MOST_NAMED_AGENTS = 1_000;
/** A timer is kept in whole milliseconds by every driver; a month is longer than any task. */
const LONGEST_RUN_SECONDS = 30 * 24 * 3_600;
const LONGEST_ARCHIVE_MINUTES = 366 * 24 * 60;
/** Under a second the host would speak before any parent can. */
const SHORTEST_ANNOUNCE_MS = 1_000;
const LONGEST_ANNOUNCE_MS = 24 * 3_600_000;
/** Whoever is asked may be asleep, but a turn does not wait for days. */
const LONGEST_ANSWER_MINUTES = 24 * 60;
const LONGEST_RETENTION_DAYS = 3_660;
/** Longer looks like no answer. */
const LONGEST_DEBOUNCE_MS = 60_000;
const LARGEST_QUEUE = 1_000;
const LONGEST_THREAD_HOURS = 8_784;
/** Each is asked four times; nobody waits for more. */
const MOST_FALLBACKS = 8;

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
  file: z.boolean().default(true),
});

const agentIds = z.array(text).max(MOST_NAMED_AGENTS);

const limits = z.strictObject({
  maxConcurrent: z.int().min(1).max(MOST_RUNS).default(DEFAULT_LIMITS.maxConcurrent),
  maxTreeRuns: z.int().min(1).max(MOST_RUNS).default(DEFAULT_LIMITS.maxTreeRuns),
  answerMinutes: z.int().min(1).max(LONGEST_ANSWER_MINUTES).default(DEFAULT_LIMITS.answerMinutes),
  runRetentionDays: z.int().min(1).max(LONGEST_RETENTION_DAYS).default(DEFAULT_LIMITS.runRetentionDays),
  auditRetentionDays: z.int().min(1).max(LONGEST_RETENTION_DAYS).default(DEFAULT_LIMITS.auditRetentionDays),
});

/** Without defaults: an agent's own value stands over the one of all agents. */
const subagents = z.strictObject({
  maxSpawnDepth: z.int().min(1).max(DEEPEST_SPAWN).optional(),
  maxChildrenPerAgent: z.int().min(1).max(MOST_CHILDREN).optional(),
  allowAgents: agentIds.optional(),
  requireAgentId: z.boolean().optional(),
  runTimeoutSeconds: z.int().min(0).max(LONGEST_RUN_SECONDS).optional(),
  maxRunTimeoutSeconds: z.int().min(0).max(LONGEST_RUN_SECONDS).optional(),
  archiveAfterMinutes: z.int().min(0).max(LONGEST_ARCHIVE_MINUTES).optional(),
  announceTimeoutMs: z.int().min(SHORTEST_ANNOUNCE_MS).max(LONGEST_ANNOUNCE_MS).optional(),
  model: text.optional(),
  thinking: z.enum(THINKING_LEVELS).optional(),
});

const agent = z.strictObject({
  runtime: text.optional(),
  model: text.optional(),
  fallbackModels: z.array(text).max(MOST_FALLBACKS).optional(),
  thinking: z.enum(THINKING_LEVELS).optional(),
  instructions: z.string().optional(),
  workspace: text.optional(),
  tools: z
    .strictObject({
      allow: z.array(text).optional(),
      deny: z.array(text).optional(),
      ask: z.array(text).optional(),
      exec: z.boolean().optional(),
      boundaries: boundariesSchema.optional(),
    })
    .optional(),
  turnTimeoutSeconds: z.int().min(0).max(LONGEST_RUN_SECONDS).optional(),
  sandbox: z.enum(SANDBOX_LEVELS).optional(),
  subagents: subagents.optional(),
  budgets: budgetsSchema.optional(),
  acp: acpSchema.optional(),
  default: z.boolean().optional(),
});

const route = z.strictObject({
  agent: text,
  match: z.strictObject({
    channel: text,
    account: text.optional(),
    guild: idText.optional(),
    roles: z.array(idText).min(1).optional(),
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

const queueSetting = {
  mode: z.enum(QUEUE_MODES).optional(),
  debounceMs: z.int().min(0).max(LONGEST_DEBOUNCE_MS).optional(),
  cap: z.int().min(1).max(LARGEST_QUEUE).optional(),
  drop: z.enum(DROP_POLICIES).optional(),
  interrupt: z
    .strictObject({
      resume: z.enum(RESUME_PLACES).optional(),
      model: text.optional(),
      thinking: z.enum(THINKING_LEVELS).optional(),
    })
    .optional(),
};

const threadHours = z.union([z.number().min(1).max(LONGEST_THREAD_HOURS), z.literal("off")]);

const threads = z.strictObject({
  enabled: z.boolean().default(DEFAULT_THREADS.enabled),
  idleHours: threadHours.default(DEFAULT_THREADS.idleHours),
  maxAgeHours: threadHours.default(DEFAULT_THREADS.maxAgeHours),
  fallback: z.enum(THREAD_FALLBACKS).default(DEFAULT_THREADS.fallback),
  nameFrom: z.enum(THREAD_NAMES).default(DEFAULT_THREADS.nameFrom),
});

/** Without defaults: an account's own value stands over the one of all. */
const accountThreads = z.strictObject({
  enabled: z.boolean().optional(),
  idleHours: threadHours.optional(),
  maxAgeHours: threadHours.optional(),
  fallback: z.enum(THREAD_FALLBACKS).optional(),
  nameFrom: z.enum(THREAD_NAMES).optional(),
});

const tools = z.strictObject({
  sessions: z
    .strictObject({ visibility: z.enum(SESSION_VISIBILITIES).default(DEFAULT_SESSION_TOOLS.visibility) })
    .prefault({}),
  agentToAgent: z
    .strictObject({
      enabled: z.boolean().default(DEFAULT_SESSION_TOOLS.agentToAgent.enabled),
      allow: agentIds.default([]),
    })
    .prefault({}),
  attachments: z
    .strictObject({
      limitBytes: z.int().min(1).default(DEFAULT_ATTACHMENTS.limitBytes),
      turnLimitBytes: z.int().min(1).default(DEFAULT_ATTACHMENTS.turnLimitBytes),
    })
    .prefault({}),
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
      guilds: z.array(idText).optional(),
      requireMention: z.boolean().optional(),
    })
    .optional(),
  threads: accountThreads.optional(),
  catchUpHours: z.number().min(0).max(LONGEST_CATCH_UP_HOURS).optional(),
  delivery: z.enum(DELIVERY_SETTINGS).optional(),
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
  limits: limits.prefault({}),
  agents: z.record(z.string(), agent).default({}),
  routes: z.array(route).default([]),
  session: session.prefault({}),
  queue: z
    .strictObject({ ...queueSetting, byChannel: z.record(z.string(), z.strictObject(queueSetting)).default({}) })
    .prefault({}),
  threads: threads.prefault({}),
  channels: z.record(z.string(), channel).default({}),
  plugins: z.array(plugin).default([]),
  tools: tools.prefault({}),
  prices: pricesSchema.default({}),
  providers: z.record(z.string(), providerSchema).default({}),
  store: store.prefault({}),
});
