import type { ToolResult } from "@banyan/plugin-sdk";
import { z } from "zod";
import type { Tool, ToolContext, ToolUse } from "./tool.ts";

export interface ToolDefinition<Args> {
  readonly name: string;
  /** For the agent: what it does, when to use it, what it leaves out. */
  readonly description: string;
  /** A strict object, so that a misspelt argument is an error and not a silent default. */
  readonly args: z.ZodType<Args>;
  readonly isRepeatable: boolean;
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  readonly effect?: "writes" | "runs";
  /** What a call touches. Returns a sentence for arguments that are wrong in a way that the schema cannot check. */
  readonly use?: (args: Args) => ToolUse | string;
  readonly run: (args: Args, context: ToolContext) => Promise<ToolResult>;
}

/** Creates a tool from a zod schema, which is the source of the agent's JSON Schema and of the validation. */
export function defineTool<Args>(definition: ToolDefinition<Args>): Tool {
  const { name, description, isRepeatable, timeoutMs, graceMs, effect } = definition;
  let schema: Record<string, unknown> | undefined;
  // Created when an agent first needs it: starting the gateway does not.
  const describeArgs = () => {
    schema ??= { ...z.toJSONSchema(definition.args, { io: "input" }) };
    return schema;
  };
  return {
    description: {
      name,
      description,
      get parameters() {
        return describeArgs();
      },
    },
    isRepeatable,
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(graceMs !== undefined && { graceMs }),
    ...(effect !== undefined && { effect }),
    prepare(args) {
      const parsed = definition.args.safeParse(args);
      if (!parsed.success) {
        const names = formatParameterNames(describeArgs());
        return { kind: "invalid", problem: `${formatProblems(parsed.error)} It takes ${names}.` };
      }
      const use = definition.use?.(parsed.data) ?? {};
      if (typeof use === "string") return { kind: "invalid", problem: use };
      return { kind: "ready", use, run: (context) => definition.run(parsed.data, context) };
    },
  };
}

function formatProblems(error: z.ZodError): string {
  const { problems, more } = listArgumentProblems(error);
  return [...problems.map((problem) => `${problem}.`), ...(more > 0 ? [`And ${more} more.`] : [])].join(" ");
}

function formatParameterNames(schema: Readonly<Record<string, unknown>>): string {
  const names = typeof schema.properties === "object" ? Object.keys(schema.properties ?? {}) : [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  if (names.length === 0) return "no arguments";
  return names.map((name) => (required.includes(name) ? name : `${name} (optional)`)).join(", ");
}

/** Enough to act on: a hundred wrong keys do not need a hundred lines. */
const MAX_PROBLEMS = 5;

/** An issue of zod, or of another standard schema: a step of its path may be an object with a key. */
export interface ArgumentIssue {
  readonly message: string;
  readonly path?: readonly unknown[] | undefined;
}

/**
 * Lists what is wrong with a tool's arguments: the first few problems, each after its place, and how many more there
 * are.
 */
export function listArgumentProblems({ issues }: { readonly issues: readonly ArgumentIssue[] }): {
  readonly problems: readonly string[];
  readonly more: number;
} {
  const problems = issues.slice(0, MAX_PROBLEMS).map(({ path = [], message }) => {
    const place = path.map((step) => String(isStep(step) ? step.key : step)).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return { problems, more: issues.length - problems.length };
}

function isStep(step: unknown): step is { readonly key: unknown } {
  return typeof step === "object" && step !== null && "key" in step;
}
