import { z } from "zod";
import type { ConfigPath } from "../problems/config-path.ts";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";
import type { AgentInput } from "./define-config.ts";
import type { ToolBoundaries } from "./tool-boundaries.ts";

const MIB = 1024 * 1024;
/** A list that is longer is no list that anybody looks over. */
const MOST_PATTERNS = 200;
const PATTERN_LIMIT_CHARS = 200;
/** A turn that waits longer for a program hangs. */
const LONGEST_CALL_SECONDS = 3_600;
/** A notice that something was cut has to fit. */
const LEAST_OUTPUT_BYTES = 1_000;
const MOST_OUTPUT_BYTES = MIB;
const MOST_FILE_BYTES = 64 * MIB;
/** What `exec` needs to be named for in `allow`. */
const EXEC = "exec";

const pattern = z.string().trim().min(1).max(PATTERN_LIMIT_CHARS);
const patterns = z.array(pattern).max(MOST_PATTERNS).optional();

function permissionsOf<Permission extends string>(permission: z.ZodType<Permission, Permission>) {
  return z
    .record(pattern, permission)
    .refine((given) => Object.keys(given).length <= MOST_PATTERNS, `takes at most ${MOST_PATTERNS} patterns`)
    .optional();
}

export const boundariesSchema: z.ZodType<ToolBoundaries, ToolBoundaries> = z.strictObject({
  paths: z
    .strictObject({
      allow: patterns.describe(
        "Patterns of paths in the workspace: what they name, and everything below it. Default: the whole workspace.",
      ),
      block: patterns.describe("Patterns of paths that are refused. `block` takes precedence."),
      permissions: permissionsOf(z.enum(["read", "write", "ask", "deny"])).describe(
        "Permission by pattern. `write` includes `read`. `ask`: a person approves each call. The longest pattern that matches decides.",
      ),
    })
    .optional(),
  commands: z
    .strictObject({
      allow: patterns.describe(
        "The first words of commands that `exec` may run. Default: all but those that the host refuses.",
      ),
      block: patterns.describe("The first words of commands that are refused. `block` takes precedence."),
      permissions: permissionsOf(z.enum(["allow", "ask", "deny"])).describe(
        "Permission by the first words of a command. `ask`: a person approves each call. The longest pattern that matches decides.",
      ),
    })
    .optional(),
  timeoutSeconds: z
    .int()
    .min(1)
    .max(LONGEST_CALL_SECONDS)
    .optional()
    .describe("Longest time of one tool call. Without it, a program has 60 seconds."),
  outputLimitBytes: z
    .int()
    .min(LEAST_OUTPUT_BYTES)
    .max(MOST_OUTPUT_BYTES)
    .optional()
    .describe("Size of one tool result."),
  readLimitBytes: z.int().min(1).max(MOST_FILE_BYTES).optional().describe("Size of one read of a file."),
  writeLimitBytes: z.int().min(1).max(MOST_FILE_BYTES).optional().describe("Size of one file that is written."),
});

/**
 * An agent's own values stand over those of all agents, key by key, also those of paths and commands: an agent that says what
 * it may read keeps what is closed to all.
 */
export function buildBoundaries(
  own: ToolBoundaries | undefined,
  defaults: ToolBoundaries | undefined,
): ToolBoundaries | undefined {
  if (own === undefined || defaults === undefined) return own ?? defaults;
  const paths = own.paths && { ...defaults.paths, ...own.paths };
  const commands = own.commands && { ...defaults.commands, ...own.commands };
  return { ...defaults, ...own, ...(paths && { paths }), ...(commands && { commands }) };
}

/** What the schema cannot see: patterns that can mean nothing, and `exec` in a list while it is off. */
export function checkAgentTools(agent: AgentInput, defaults: AgentInput, path: ConfigPath): readonly ConfigProblem[] {
  const { allow = [], exec = defaults.tools?.exec, boundaries } = agent.tools ?? {};
  const at = allow.indexOf(EXEC);
  const { paths } = boundaries ?? {};
  const written: readonly (readonly [string, readonly string[]])[] = [
    ["allow", paths?.allow ?? []],
    ["block", paths?.block ?? []],
    ["permissions", Object.keys(paths?.permissions ?? {})],
  ];
  return [
    ...(at >= 0 && exec !== true
      ? [
          {
            path: [...path, "allow", at],
            wrong: "the tool exec is off",
            received: formatReceived(EXEC),
            cure: "add exec: true next to allow, or remove it",
          },
        ]
      : []),
    ...written.flatMap(([key, list]) =>
      list.flatMap((given, index) =>
        checkPattern(given, [...path, "boundaries", "paths", key, key === "permissions" ? given : index]),
      ),
    ),
  ];
}

function checkPattern(given: string, path: ConfigPath): readonly ConfigProblem[] {
  const wrong =
    given.startsWith("/") || /^[a-z]:/i.test(given) || given.includes("\\")
      ? "patterns of paths start from the workspace"
      : given.split("/").includes("..")
        ? "a pattern of paths stays in the workspace"
        : undefined;
  if (wrong === undefined) return [];
  return [{ path, wrong, received: formatReceived(given), cure: 'write it like "docs" or "notes/*.md"' }];
}
