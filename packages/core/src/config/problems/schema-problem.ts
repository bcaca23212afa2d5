import type { z } from "zod";
import { type ConfigPath, findAtPath } from "./config-path.ts";
import { type ConfigProblem, formatReceived, formatReceivedType } from "./config-problem.ts";
import { buildUnknownKeyProblem } from "./known-key.ts";

type Issue = z.core.$ZodIssue;

export interface SchemaContext {
  /** What was judged; received values are looked up in it. */
  readonly input: unknown;
  readonly isSecret: (path: ConfigPath) => boolean;
  /** All keys that may stand under a path, also those that come later. */
  readonly listKnownKeys: (path: ConfigPath) => readonly string[];
}

/** Says each issue of our schema in the words of our messages. */
export function listSchemaProblems(issues: readonly Issue[], context: SchemaContext): readonly ConfigProblem[] {
  return issues.flatMap((issue) => listIssueProblems(issue, [], context));
}

function listIssueProblems(issue: Issue, base: ConfigPath, context: SchemaContext): readonly ConfigProblem[] {
  const path = [...base, ...issue.path.map(toStep)];
  const value = findAtPath(context.input, path);
  if (issue.code === "unrecognized_keys") {
    const known = context.listKnownKeys(path);
    return issue.keys.map((key) => buildUnknownKeyProblem([...path, key], known));
  }
  if (issue.code === "invalid_union") {
    const branch = issue.errors.find((issues) => issues.every((one) => one.path.length > 0 || !isTypeIssue(one)));
    if (branch !== undefined) return branch.flatMap((one) => listIssueProblems(one, path, context));
  }
  const rule = describeRule(issue);
  if (value === undefined) return [{ path, wrong: "missing", cure: rule.replace(/^must be /, "write ") }];
  return [{ path, wrong: rule, received: context.isSecret(path) ? formatReceivedType(value) : formatReceived(value) }];
}

function toStep(step: PropertyKey): string | number {
  return typeof step === "number" ? step : String(step);
}

/** Whether an issue only says that the value is no case of this branch at all. */
function isTypeIssue(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

/** What a value must be, as the rest of a sentence. */
function describeRule(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
    case "invalid_value":
    case "invalid_union":
      return `must be ${formatChoice(listExpected(issue))}`;
    case "too_small":
      if (issue.origin === "string") return "must not be blank";
      return isCounted(issue.origin) ? `needs at least ${issue.minimum} items` : `must be at least ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `must have at most ${issue.maximum} characters`;
      return isCounted(issue.origin) ? `takes at most ${issue.maximum} items` : `must be at most ${issue.maximum}`;
    case "custom":
      return issue.message;
    default:
      return "must have the form that docs/configuration.md shows";
  }
}

function isCounted(origin: string): boolean {
  return origin === "array" || origin === "set";
}

/** The words for what one issue would accept. A union accepts what any of its branches does. */
function listExpected(issue: Issue): readonly string[] {
  if (issue.code === "invalid_type") return [KIND_WORDS[issue.expected] ?? issue.expected];
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code !== "invalid_union") return [];
  return [...new Set(issue.errors.flatMap((issues) => issues.slice(0, 1)).flatMap(listExpected))];
}

/** `a, b or c`. */
function formatChoice(words: readonly string[]): string {
  const parts = words.flatMap((word) => (words.length > 1 && word === KIND_WORDS.boolean ? ["true", "false"] : [word]));
  const last = parts.at(-1) ?? "another value";
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(", ")} or ${last}`;
}
