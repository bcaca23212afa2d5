import { basename } from "node:path";
import type { CommandPermission } from "../../config/shapes/tool-boundaries.ts";
import type { AgentBoundaries } from "./agent-boundaries.ts";
import { isDangerousProgram } from "./dangerous-program.ts";
import { matchesWord } from "./word-pattern.ts";

export type CommandVerdict =
  | { readonly kind: "open" | "ask" }
  /** A sentence for the agent. */
  | { readonly kind: "closed"; readonly why: string };

/**
 * What all boundaries together say of a command. Programs that start others or reach beyond the workspace are closed, but
 * where every agent of the lineage names them.
 */
export function decideCommand(argv: readonly string[], boundaries: readonly AgentBoundaries[]): CommandVerdict {
  const verdicts = boundaries.map((each) => decideByOne(argv, each));
  const closed = verdicts.find(({ kind }) => kind === "closed");
  if (closed !== undefined) return closed;
  const isNamed = boundaries.length > 0 && boundaries.every((each) => namesProgram(argv, each));
  if (isDangerousProgram(argv) && !isNamed)
    return {
      kind: "closed",
      why: `${quoteProgram(argv)} is a dangerous command; call what you need by itself, or say in your answer what it was for.`,
    };
  return verdicts.find(({ kind }) => kind === "ask") ?? { kind: "open" };
}

function decideByOne(argv: readonly string[], { rules }: AgentBoundaries): CommandVerdict {
  const { allow, block = [], permissions = {} } = rules.commands ?? {};
  const no = { kind: "closed", why: `${quoteProgram(argv)} is closed to you.` } as const;
  if (block.some((pattern) => meansLoosely(pattern, argv))) return no;
  if (allow !== undefined && !allow.some((pattern) => meansExactly(pattern, argv)))
    return {
      kind: "closed",
      why: `${quoteProgram(argv)} is none of the commands that are open to you: ${allow.join(", ") || "nothing"}.`,
    };
  const permission = findPermission(permissions, argv);
  return permission === "deny" ? no : { kind: permission === "ask" ? "ask" : "open" };
}

/** An own word for the program, not a `*`. */
function namesProgram(argv: readonly string[], { rules }: AgentBoundaries): boolean {
  const { allow = [], permissions = {} } = rules.commands ?? {};
  const named = [...allow, ...Object.keys(permissions).filter((pattern) => permissions[pattern] !== "deny")];
  return named.some((pattern) => !readWords(pattern)[0]?.includes("*") && meansExactly(pattern, argv));
}

const STRICTNESS: readonly CommandPermission[] = ["deny", "ask", "allow"];

/** As for paths: the longest pattern decides; of two as long, the stricter. */
function findPermission(
  permissions: Readonly<Record<string, CommandPermission>>,
  argv: readonly string[],
): CommandPermission | undefined {
  const meant = Object.entries(permissions).filter(([pattern, permission]) =>
    permission === "allow" ? meansExactly(pattern, argv) : meansLoosely(pattern, argv),
  );
  const longest = Math.max(...meant.map(([pattern]) => pattern.length));
  const said = meant.filter(([pattern]) => pattern.length === longest).map(([, permission]) => permission);
  return STRICTNESS.find((permission) => said.includes(permission));
}

/** The program as it was written: `./git` is not `git`, for the agent may have made it. */
function meansExactly(pattern: string, argv: readonly string[]): boolean {
  return readWords(pattern).every((word, at) => {
    const given = argv[at];
    return given !== undefined && matchesWord(word, given);
  });
}

/** By whatever path the program is named. */
function meansLoosely(pattern: string, argv: readonly string[]): boolean {
  const [program = "", ...args] = argv;
  return meansExactly(pattern, argv) || meansExactly(pattern, [basename(program), ...args]);
}

function readWords(pattern: string): readonly string[] {
  return pattern.split(" ").filter((word) => word !== "");
}

function quoteProgram([program = ""]: readonly string[]): string {
  return JSON.stringify(program.slice(0, 100));
}
