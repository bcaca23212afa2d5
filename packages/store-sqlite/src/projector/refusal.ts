import { ForeignFileError } from "../database/private-file.ts";

/** Why the operating system refused to touch a file. Throws any other error on: that is a bug, or a fault point. */
export function getRefusal(error: unknown): string {
  if (error instanceof ForeignFileError) return error.message;
  if (error instanceof Error && "syscall" in error) return error.message;
  throw error;
}
