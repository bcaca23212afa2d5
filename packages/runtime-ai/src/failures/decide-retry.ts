import { type Backoff, decideBackoffMs } from "@banyan/plugin-sdk/kit";
import type { Failure } from "./classify-failure.ts";

/** One request and three more: a rate limit of a minute is over by then, and a person still waits. */
const MOST_RETRIES = 3;
const BACKOFF: Backoff = { firstMs: 1_000, limitMs: 30_000 };
/** Whoever is told to come back later than that asks somebody else, or is told so. */
const LONGEST_WAIT_MS = 60_000;

export type RetryDecision = { readonly kind: "retry"; readonly afterMs: number } | { readonly kind: "give-up" };

/** `failures` counts those in a row before this one; `random` is from 0 to below 1. Pure. */
export function decideRetry(failure: Failure, failures: number, random: number): RetryDecision {
  if (failure.kind === "lasting" || failures >= MOST_RETRIES) return { kind: "give-up" };
  const backoffMs = decideBackoffMs(failures, random, BACKOFF);
  const afterMs = Math.max(backoffMs, failure.retryAfterMs ?? 0);
  return afterMs > LONGEST_WAIT_MS ? { kind: "give-up" } : { kind: "retry", afterMs };
}
