import { z } from "zod";
import { DEFAULT_DM_SCOPE, DM_SCOPES } from "../../sessions/keys/dm-scope.ts";
import { channelSchema } from "./account-schema.ts";
import { agentIdsSchema, agentSchema } from "./agent-schema.ts";
import { DEFAULT_ATTACHMENTS } from "./attachments-config.ts";
import type { CheckedInput } from "./checked-input.ts";
import { type BanyanConfigInput, LOG_LEVELS } from "./define-config.ts";
import { DEFAULT_LIMITS } from "./limits-config.ts";
import { pricesSchema } from "./price-config.ts";
import { providerSchema } from "./provider-schema.ts";
import { queueSchema } from "./queue-schema.ts";
import { DEFAULT_SESSION_TOOLS } from "./session-tools-config.ts";
import { SESSION_VISIBILITIES } from "./session-visibility.ts";
import { threadsSchema } from "./threads-schema.ts";

const PORT_LIMIT = 65_535;
const SHORTEST_TOKEN_CHARS = 6;
const MOST_RUNS = 10_000;
/** Whoever is asked may be asleep, but a turn does not wait for days. */
const LONGEST_ANSWER_MINUTES = 24 * 60;
const LONGEST_RETENTION_DAYS = 3_660;

const text = z.string().trim().min(1);
const idText = z.union([text, z.number()]);
const dmScope = z.enum(DM_SCOPES);
const retentionDays = z.int().min(1).max(LONGEST_RETENTION_DAYS);

const server = z.strictObject({
  host: text
    .default("127.0.0.1")
    .describe(
      "Address that the HTTP server listens on. The server has no TLS; use a reverse proxy for other machines.",
    ),
  port: z.int().min(0).max(PORT_LIMIT).default(8787).describe("Port of the HTTP server. 0 takes any free port."),
  // A shorter one is soon guessed, and too common a word to be kept out of the logs.
  token: text
    .min(SHORTEST_TOKEN_CHARS)
    .optional()
    .describe(
      "Access token of the web chat and the HTTP API. Default: created at the first start, and kept in the file `token` of the state directory.",
    ),
});

const log = z.strictObject({
  level: z.enum(LOG_LEVELS).default("info").describe("The least important level that is logged."),
  pretty: z
    .union([z.boolean(), z.literal("auto")])
    .default("auto")
    .describe("`true`: readable lines. `false`: JSON. `auto`: readable lines on a terminal, JSON elsewhere."),
  file: z
    .boolean()
    .default(true)
    .describe("Also logs JSON lines to `logs/` in the state directory, for `banyan logs`."),
});

const limits = z.strictObject({
  maxConcurrent: z
    .int()
    .min(1)
    .max(MOST_RUNS)
    .default(DEFAULT_LIMITS.maxConcurrent)
    .describe("Sub-agents that run at the same time, of all agents together. Further ones wait."),
  maxTreeRuns: z
    .int()
    .min(1)
    .max(MOST_RUNS)
    .default(DEFAULT_LIMITS.maxTreeRuns)
    .describe("Unfinished sub-agents below one conversation. A further one is refused."),
  answerMinutes: z
    .int()
    .min(1)
    .max(LONGEST_ANSWER_MINUTES)
    .default(DEFAULT_LIMITS.answerMinutes)
    .describe("How long an agent's question waits for a person. No answer counts as no."),
  runRetentionDays: retentionDays
    .default(DEFAULT_LIMITS.runRetentionDays)
    .describe("How long the record of an ended sub-agent is kept."),
  auditRetentionDays: retentionDays
    .default(DEFAULT_LIMITS.auditRetentionDays)
    .describe("How long an entry of `banyan audit` is kept."),
});

const route = z.strictObject({
  agent: text.describe("Id of the agent that answers."),
  match: z.strictObject({
    channel: text.describe("Id of the channel."),
    account: text.optional().describe("Name of the account. Default: every account."),
    guild: idText.optional().describe("Platform id of a server. Default: every server."),
    roles: z
      .array(idText)
      .min(1)
      .optional()
      .describe("Platform ids of roles of `guild`. The sender has at least one of them. Default: every sender."),
    peer: z
      .strictObject({
        kind: z.enum(["dm", "group", "channel"]).describe("Kind of chat."),
        id: idText.describe("Platform id of the chat; in a group or channel also of a thread."),
      })
      .optional()
      .describe("One chat. Default: every chat."),
  }),
  session: z
    .strictObject({
      dmScope: dmScope
        .optional()
        .describe("Which direct chats of this route share a conversation. Default: `session.dmScope`."),
    })
    .optional(),
});

const session = z.strictObject({
  scope: z
    .enum(["per-sender", "global"])
    .default("per-sender")
    .describe(
      "`per-sender`: separate conversations, see `dmScope`. `global`: one conversation for everyone and every agent.",
    ),
  dmScope: dmScope
    .default(DEFAULT_DM_SCOPE)
    .describe(
      "Which direct chats share a conversation. `main`: all of an agent. `per-peer`: those with the same sender id. `per-channel-peer`: those of one sender on one channel. `per-account-channel-peer`: those of one sender on one account.",
    ),
  acceptSharedDm: z
    .boolean()
    .default(false)
    .describe(
      "Allows several people in one conversation with `main`, `per-peer` or `global`. Without it, such a start is refused.",
    ),
  identityLinks: z
    .record(z.string(), z.array(z.string()))
    .default({})
    .describe("Accounts of one person, by a name of your choice. An account is written `channel:id`."),
});

const tools = z.strictObject({
  sessions: z
    .strictObject({
      visibility: z
        .enum(SESSION_VISIBILITIES)
        .default(DEFAULT_SESSION_TOOLS.visibility)
        .describe(
          "Sessions that an agent sees. `self`: its own. `tree`: also those above and below it. `agent`: all of the same agent. `all`: every session.",
        ),
    })
    .prefault({}),
  agentToAgent: z
    .strictObject({
      enabled: z
        .boolean()
        .default(DEFAULT_SESSION_TOOLS.agentToAgent.enabled)
        .describe("Agents may write to sessions of other agents."),
      allow: agentIdsSchema.default([]).describe('Ids of the agents that take part. `"*"` means every agent.'),
    })
    .prefault({}),
  attachments: z
    .strictObject({
      limitBytes: z
        .int()
        .min(1)
        .default(DEFAULT_ATTACHMENTS.limitBytes)
        .describe("Largest received file that an agent may save."),
      turnLimitBytes: z
        .int()
        .min(1)
        .default(DEFAULT_ATTACHMENTS.turnLimitBytes)
        .describe("Total size of received files that one turn may save."),
    })
    .prefault({}),
});

const plugin = z.union([
  text,
  z.strictObject({
    package: text.describe("A package, or a file relative to the configuration file."),
    config: z.record(z.string(), z.unknown()).optional().describe("The plugin's own settings."),
  }),
]);

const store = z.strictObject({
  driver: z
    .enum(["sqlite", "memory"])
    .default("sqlite")
    .describe(
      "Where state is stored. `memory` is for tries and tests: nothing survives the process, so everything is lost when the gateway stops or crashes.",
    ),
  synchronous: z
    .enum(["full", "normal"])
    .default("full")
    .describe(
      "What acknowledged data survives. `full`: a power failure. `normal`: a crash of the process, but not a power failure.",
    ),
  readable: z
    .boolean()
    .default(true)
    .describe("Also writes sessions and transcripts as files to `agents/` in the state directory, for reading."),
});

/** What works now. What comes later is taken out before (`refuseLaterFeatures`), so that its reason can be told. */
export const configSchema: z.ZodType<CheckedInput, BanyanConfigInput> = z.strictObject({
  $schema: z.string().optional().describe("JSON Schema of this file, for editors. `banyan init` writes one."),
  stateDir: text
    .default("./.banyan")
    .describe(
      "Folder for everything that Banyan stores. A relative path starts from the folder of the configuration file.",
    ),
  server: server.prefault({}).describe("The HTTP server."),
  log: log.prefault({}).describe("The log."),
  limits: limits.prefault({}).describe("Limits of all agents together."),
  agents: z
    .record(z.string(), agentSchema)
    .default({})
    .describe(
      "Agents by id. `agents.defaults` is not an agent: each agent starts from its values. Without any agent there is one, `main`.",
    ),
  routes: z
    .array(route)
    .default([])
    .describe(
      "Which agent answers where. The most exact match wins: `peer`, `guild` with `roles`, `guild`, `account`, the channel alone. Among equal matches, the first wins.",
    ),
  session: session.prefault({}).describe("Who shares a conversation."),
  queue: queueSchema.prefault({}).describe("What a message does that arrives while the agent works."),
  threads: threadsSchema.prefault({}).describe("Threads that are opened for sub-agents."),
  channels: z.record(z.string(), channelSchema).default({}).describe("Channels by id."),
  plugins: z
    .array(plugin)
    .default([])
    .describe(
      'Channels and tools of your own: a package, or a file relative to the configuration file. `"irc"` means the package `banyan-channel-irc`.',
    ),
  tools: tools.prefault({}).describe("Rules for the tools of all agents."),
  prices: pricesSchema
    .default({})
    .describe(
      "Prices of models by name, in US dollars for a million tokens. They are used where the agent reports no cost.",
    ),
  providers: z
    .record(z.string(), providerSchema)
    .default({})
    .describe('Where models answer, by a name of your choice: `grove` for `model: "grove/small"`.'),
  store: store.prefault({}).describe("Where state is stored."),
});
