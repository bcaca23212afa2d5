import type { z } from "zod";

/** Enough to act on; a hundred wrong keys need no hundred lines. */
const PROBLEM_LIMIT = 5;

/** What is wrong with a tool's arguments: the first few problems, each behind its place, and how many more there are. */
export function listArgumentProblems({ issues }: z.ZodError): {
  readonly problems: readonly string[];
  readonly more: number;
} {
  const problems = issues.slice(0, PROBLEM_LIMIT).map(({ path, message }) => {
    const place = path.map(String).join(".");
    return place === "" ? message : `${place}: ${message}`;
  });
  return { problems, more: issues.length - problems.length };
}
