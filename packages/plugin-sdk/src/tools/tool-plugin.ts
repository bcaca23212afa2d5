import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { LifecycleHooks } from "../hooks/lifecycle-hooks.ts";
import type { Log } from "../port/log.ts";

/** The version of this contract. A plugin made for another one is refused at load with a sentence. */
export const TOOL_API_VERSION = 1;

/** Tools, and taps on the hooks, that a third party offers to the agents of a gateway. */
export interface ToolPlugin<Config = unknown> {
  readonly kind: "tools";
  /** `^[a-z][a-z0-9-]{0,31}$`. The name of its taps and of its lines in the log. */
  readonly id: string;
  readonly apiVersion: typeof TOOL_API_VERSION;
  /** What its entry in the configuration's `plugins` may hold, as any Standard Schema. Absent: nothing. */
  readonly config?: StandardSchemaV1<unknown, Config>;
  readonly tools: readonly PluginTool<Config>[];
  /**
   * Called once at start: taps the hooks. Taps on `before_tool_call` and `after_tool_call` stand by their `priority` among
   * the host's own. Must not throw; a throw ends the start.
   */
  readonly tap?: (hooks: LifecycleHooks, context: { readonly config: Config; readonly log: Log }) => void;
}

/** One tool. Which agents may use it, and whether a person is asked first, is the configuration's. */
export interface PluginTool<Config = unknown> {
  /** `^[a-zA-Z0-9_-]{1,64}$`; no other tool of the gateway has it. */
  readonly name: string;
  /** For the agent: what it does, when to use it, what it leaves out. */
  readonly description: string;
  /** The arguments, as any Standard Schema that answers at once. Unknown keys should not pass. */
  readonly args: StandardSchemaV1;
  /** The same as a JSON Schema object, for the agent. Needed where the library cannot tell it (zod 4 can). */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /**
   * Whether an unfinished call may be made again after the process died. `false`: the turn ends there, and its sender is
   * told. Say `true` only of what does the same when it is done twice.
   */
  readonly isRepeatable: boolean;
  /** Milliseconds, default 30,000, at most a day; boundaries may say less. */
  readonly timeoutMs?: number;
  /**
   * Does the call, with arguments that the schema has judged (type them by `defineTool`). What it answers is cut to the
   * agent's limit and stored before the agent sees it. What is expected to go wrong is an answer with `isError`; what it
   * throws goes to the log, and the agent is told that the tool is broken.
   */
  run(args: unknown, context: PluginToolContext<Config>): Promise<PluginToolAnswer> | PluginToolAnswer;
}

export type PluginToolAnswer = string | { readonly text: string; readonly isError?: boolean };

export interface PluginToolContext<Config = unknown> {
  readonly config: Config;
  readonly log: Log;
  readonly agentId: string;
  readonly sessionKey: string;
  /** With the ordinal the key of the call: the same in a repeat of it. */
  readonly turnId: string;
  readonly ordinal: number;
  /** Absolute. The tool itself has to stay in it. */
  readonly workspaceDir: string;
  /** Aborts when the turn does or the time is over; what is answered afterwards is ignored. */
  readonly signal: AbortSignal;
}

/** Gives a plugin its types, and says what it is. */
export function defineToolPlugin<Config>(plugin: Omit<ToolPlugin<Config>, "kind">): ToolPlugin<Config> {
  return { ...plugin, kind: "tools" };
}

/** Gives `run` the types of what its schema makes of the arguments. */
export function defineTool<Schema extends StandardSchemaV1, Config = unknown>(
  tool: Omit<PluginTool<Config>, "args" | "run"> & {
    readonly args: Schema;
    run(
      args: StandardSchemaV1.InferOutput<Schema>,
      context: PluginToolContext<Config>,
    ): Promise<PluginToolAnswer> | PluginToolAnswer;
  },
): PluginTool<Config> {
  return tool;
}
