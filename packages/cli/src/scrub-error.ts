import { BanyanError } from "@banyan/core";

/** The error, or where it holds a secret one that says the same without it; its cause is then left behind. */
export function scrubError(error: unknown, scrub: (text: string) => string): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? scrub(error) : error;
  const isClean = [error.message, error.stack ?? ""].every((text) => scrub(text) === text);
  if (isClean) return error;
  const message = scrub(error.message);
  const clean = error instanceof BanyanError ? new BanyanError(error.code, message) : new Error(message);
  clean.name = error.name;
  if (error.stack !== undefined) clean.stack = scrub(error.stack);
  return clean;
}
