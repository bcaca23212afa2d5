import { z } from "zod";
import { THINKING_LEVELS } from "../../config/shapes/thinking-level.ts";
import { ANNOUNCE_WAYS, type AnnounceWay } from "../../runs/run-body.ts";
import { listArgumentProblems } from "../../tools/definition.ts";
import { attachmentsArgument } from "./attachment-argument.ts";
import { SANDBOX_REQUESTS, type SandboxRequest } from "./sandbox-lattice.ts";
import { formatSingleLine } from "./single-line.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";

/**
 * What `sessions_spawn` is asked. Its form is right; what `validateParameters` judges in its order may still hold any text, or
 * anything at all: `agentId`, `mode`, `thinking`, `model`, `attachments`.
 */
export interface SpawnRequest {
  readonly task: string;
  readonly taskName?: string | undefined;
  readonly label?: string | undefined;
  readonly agentId?: string | undefined;
  readonly model?: string | undefined;
  readonly thinking?: string | undefined;
  /** 0: as long as it takes. */
  readonly runTimeoutSeconds?: number | undefined;
  readonly mode?: string | undefined;
  readonly thread?: boolean | undefined;
  readonly cleanup?: "delete" | "keep" | undefined;
  /** Default `true`. */
  readonly expectsCompletionMessage?: boolean | undefined;
  readonly sandbox?: SandboxRequest | undefined;
  readonly context?: "isolated" | "fork" | undefined;
  readonly workspaceDir?: string | undefined;
  readonly attachments?: unknown;
  readonly runtime?: "subagent" | "acp" | undefined;
  readonly resumeSessionId?: string | undefined;
  readonly lightContext?: boolean | undefined;
  readonly announce?: AnnounceWay | undefined;
}

/** A task is a text that somebody writes; what is longer is an attachment. */
const TASK_LIMIT_CHARS = 100_000;
/** A line in a list, and a thread's name on every platform. */
const LABEL_LIMIT_CHARS = 100;
/** Longer than every name that is right, so that the check of that name can answer. */
const NAME_LIMIT_CHARS = 200;
const PATH_LIMIT_CHARS = 4_096;
const LONGEST_RUN_SECONDS = 30 * 24 * 3_600;
const TASK_NAME = /^[a-z][a-z0-9_-]{0,63}$/;
/** Words that mean several runs where a run is named. */
const RESERVED_TASK_NAMES: readonly string[] = ["all", "last"];

const name = z.string().max(NAME_LIMIT_CHARS);

/** The arguments of `sessions_spawn`, with what a model has to know of each. */
const spawnRequestSchema: z.ZodType<SpawnRequest> = z.strictObject({
  task: z
    .string()
    .max(TASK_LIMIT_CHARS)
    .refine((task) => task.trim() !== "", { error: "must not be blank" })
    .describe(
      "What the sub-agent has to do, with all that it needs to know: it sees nothing else of this conversation.",
    ),
  taskName: z
    .string()
    .regex(TASK_NAME, { error: `must match ${TASK_NAME.source}` })
    .refine((word) => !RESERVED_TASK_NAMES.includes(word), { error: `must not be ${RESERVED_TASK_NAMES.join(" or ")}` })
    .optional()
    .describe("A short name to find it by later, such as count-words."),
  label: z
    .string()
    .max(LABEL_LIMIT_CHARS)
    .refine((label) => formatSingleLine(label) !== "", { error: "must not be blank" })
    .optional()
    .describe("A title for people, one line; also the thread's name."),
  agentId: name.optional().describe("Which agent does it; agents_list names them. Default: this one."),
  model: name.optional().describe("One of the models that agents_list names for the agent."),
  thinking: name.optional().meta({ description: "How long its model may think.", enum: [...THINKING_LEVELS] }),
  runTimeoutSeconds: z
    .int()
    .min(0)
    .max(LONGEST_RUN_SECONDS)
    .optional()
    .describe("It is stopped after this time and reports what it has; 0 is never."),
  mode: name.optional().meta({
    description: "run: one task, one result. session: stays for several turns; needs thread: true.",
    enum: ["run", "session"],
  }),
  thread: z.boolean().optional().describe("It gets its own thread, in which people can write to it."),
  cleanup: z
    .enum(["delete", "keep"])
    .optional()
    .describe("delete: its session is archived as soon as its result is announced. Default keep."),
  expectsCompletionMessage: z
    .boolean()
    .optional()
    .describe("false: its result is only noted in this conversation, no one is notified. Default true."),
  sandbox: z.enum(SANDBOX_REQUESTS).optional().describe("require: refuse rather than run it without a sandbox."),
  context: z
    .enum(["isolated", "fork"])
    .optional()
    .describe("fork: it starts with a copy of this conversation; same agent only. Default isolated."),
  workspaceDir: z
    .string()
    .min(1)
    .max(PATH_LIMIT_CHARS)
    .refine((path) => !path.includes("\0"), { error: "must not hold a NUL character" })
    .optional()
    .describe("The folder it works in, inside the workspace. Default: the same agent's is this one's, else its own."),
  attachments: attachmentsArgument,
  runtime: z.enum(["subagent", "acp"]).optional().describe("acp: the agent must be a foreign one. Default subagent."),
  resumeSessionId: name
    .optional()
    .describe(
      "With runtime acp: the foreign agent's session to go on with, as session_status of the sub-agent that had it names it.",
    ),
  lightContext: z.boolean().optional().describe("Starts it with less of its agent's own context."),
  announce: z
    .enum(ANNOUNCE_WAYS)
    .optional()
    .describe("parent: the result comes to you, and you tell people. direct: people get it at once."),
});

export type ParsedSpawnRequest = { readonly kind: "parsed"; readonly request: SpawnRequest } | SpawnRefusal;

/** Judges the form of what a model or a command gave. A `null` counts as not given: models write it so. */
export function parseSpawnRequest(args: unknown): ParsedSpawnRequest {
  const parsed = spawnRequestSchema.safeParse(withoutNulls(args));
  if (parsed.success) return { kind: "parsed", request: parsed.data };
  return refuseSpawn("error", "request_invalid", `${formatProblems(parsed.error)}; correct it and try again`);
}

/** For agents: the JSON Schema of the arguments. */
export function buildSpawnArgsSchema(): Readonly<Record<string, unknown>> {
  return { ...z.toJSONSchema(spawnRequestSchema, { io: "input" }) };
}

function withoutNulls(args: unknown): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));
}

function formatProblems(error: z.ZodError): string {
  const { problems, more } = listArgumentProblems(error);
  return [...problems, ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
