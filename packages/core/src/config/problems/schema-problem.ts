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
    return issue.keys.map((key) =>
      buildUnknownKeyProblem([...path, key], findAtPath(context.input, [...path, key]), known),
    );
  }
  if (issue.code === "invalid_union") {
    const branch = issue.errors.find((issues) => issues.every((one) => one.path.length > 0 || !isTypeIssue(one)));
    if (branch !== undefined) return branch.flatMap((one) => listIssueProblems(one, path, context));
  }
  const expected = describeExpected(issue);
  const received = context.isSecret(path) ? formatReceivedType(value) : formatReceived(value);
  if (value === undefined) return [{ path, wrong: "missing", received, cure: `write ${expected}` }];
  return [{ path, wrong: describeWrong(issue), received, cure: `write ${expected}` }];
}

function toStep(step: PropertyKey): string | number {
  return typeof step === "number" ? step : String(step);
}

/** Whether an issue only says that the value is no case of this branch at all. */
function isTypeIssue(issue: Issue): boolean {
  return issue.code === "invalid_type" || issue.code === "invalid_value";
}

function describeWrong(issue: Issue): string {
  if (issue.code === "too_small" && issue.origin === "string") return "blank";
  if (issue.code === "too_small") return "too small";
  if (issue.code === "too_big") return "too large";
  if (issue.code === "invalid_type" || issue.code === "invalid_union") return "of the wrong kind";
  return "not a value that is known here";
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

function describeExpected(issue: Issue): string {
  switch (issue.code) {
    case "invalid_type":
      return KIND_WORDS[issue.expected] ?? issue.expected;
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value)).join(" or ");
    case "invalid_union":
      return issue.errors
        .flatMap((issues) => issues.slice(0, 1))
        .map(describeExpected)
        .join(" or ");
    case "too_small":
      return issue.origin === "string" ? "a text that is not blank" : `at least ${issue.minimum}`;
    case "too_big":
      return `at most ${issue.maximum}`;
    default:
      return "a value of the form that the documentation shows";
  }
}
