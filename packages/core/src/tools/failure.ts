import type { ToolResult } from "@banyan/plugin-sdk";

/** Why a call has no result; with `invalid` and `refused` the tool never ran. */
export type ToolFailureKind = "invalid" | "refused" | "permission" | "timeout" | "resource" | "error";

/** The four failures of a tool that ran. */
export type RanFailureKind = Exclude<ToolFailureKind, "invalid" | "refused">;

/** Builds the result that an agent gets for a failure: the tool, the kind of failure and what to do. */
export function buildFailureResult(tool: string, kind: ToolFailureKind, sentence: string): ToolResult {
  return { text: `${tool} failed (${kind}): ${sentence}`, isError: true };
}

/** A failure that a tool throws; the caller makes a result of it. */
export class ToolFailure extends Error {
  readonly kind: RanFailureKind;

  constructor(kind: RanFailureKind, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options);
    this.name = "ToolFailure";
    this.kind = kind;
  }
}

/**
 * What error codes of the operating system mean to an agent. Messages of the system would name paths of the machine.
 */
const SYSTEM_FAILURES: ReadonlyMap<string, readonly [RanFailureKind, string]> = new Map<
  string,
  readonly [RanFailureKind, string]
>([
  ["ENOENT", ["error", "there is nothing of that name; list_files shows what is there."]],
  ["ENOTDIR", ["error", "a part of the path is a file, not a directory; list_files shows what is there."]],
  ["EISDIR", ["error", "it is a directory; use list_files."]],
  ["ENAMETOOLONG", ["error", "the name is longer than the system takes."]],
  ["ELOOP", ["error", "symbolic links lead in a circle."]],
  ["EACCES", ["permission", "the system does not permit it to Banyan's user."]],
  ["EPERM", ["permission", "the system does not permit it to Banyan's user."]],
  ["EMFILE", ["resource", "too many files are open; try again later."]],
  ["ENFILE", ["resource", "too many files are open; try again later."]],
  ["ENOMEM", ["resource", "memory is short; try again later."]],
  ["ENOSPC", ["resource", "the disk is full; tell the operator."]],
  ["EIO", ["resource", "the disk answered with an error; tell the operator."]],
]);

/** Whether a thrown value is an error of the operating system with one of these codes. */
export function hasErrorCode(thrown: unknown, ...codes: readonly string[]): boolean {
  return thrown instanceof Error && "code" in thrown && codes.some((code) => thrown.code === code);
}

interface SystemFailure {
  readonly kind: RanFailureKind;
  readonly sentence: string;
}

/** Parses a thrown value as a failure of the system; `undefined` for any other. */
export function parseSystemFailure(thrown: unknown): SystemFailure | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return undefined;
  const known = SYSTEM_FAILURES.get(thrown.code);
  return known && { kind: known[0], sentence: known[1] };
}
