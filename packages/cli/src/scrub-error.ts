import { BanyanError } from "@banyan/core";

/** Deeper chains of causes are left behind, as if they held a secret. */
const MOST_CAUSES = 10;

/** The error, or where it or a cause holds a secret one that says the same without it; causes are then left behind. */
export function scrubError(error: unknown, scrub: (text: string) => string): unknown {
  if (!(error instanceof Error)) return typeof error === "string" ? scrub(error) : error;
  if (isClean(error, scrub, MOST_CAUSES)) return error;
  const message = scrub(error.message);
  const clean = error instanceof BanyanError ? new BanyanError(error.code, message) : new Error(message);
  clean.name = error.name;
  if (error.stack !== undefined) clean.stack = scrub(error.stack);
  return clean;
}

function isClean(error: unknown, scrub: (text: string) => string, causes: number): boolean {
  if (!(error instanceof Error)) return scrub(String(error)) === String(error);
  const isOwnClean = [error.message, error.stack ?? ""].every((text) => scrub(text) === text);
  return isOwnClean && (error.cause === undefined || (causes > 0 && isClean(error.cause, scrub, causes - 1)));
}
