import type { RanFailureKind } from "./tool-failure.ts";

/** What the operating system's error codes mean to an agent; messages of the system name paths of the machine. */
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

export interface SystemFailure {
  readonly kind: RanFailureKind;
  readonly sentence: string;
}

/** Reads a thrown value as a failure of the system; `undefined` when it is none we know. */
export function parseSystemFailure(thrown: unknown): SystemFailure | undefined {
  if (!(thrown instanceof Error) || !("code" in thrown) || typeof thrown.code !== "string") return undefined;
  const known = SYSTEM_FAILURES.get(thrown.code);
  return known && { kind: known[0], sentence: known[1] };
}
