import type { Usage } from "@banyan/plugin-sdk";

/** No turn uses more; a number beyond it is none, and sums of those below stay exact. */
const MOST = 1_000_000_000_000;

/**
 * What a runtime says it has used, as far as it can be counted: what is no number from nothing upwards is not known, and a
 * part of a token is a token. A record or a day that held anything else could not be written, nor read again.
 */
export function parseUsage(told: Usage): Usage {
  return {
    ...readToken("inputTokens", told),
    ...readToken("outputTokens", told),
    ...readToken("cacheRead", told),
    ...readToken("cacheWrite", told),
    ...readDollars("costUsd", told),
    ...readDollars("spentUsd", told),
  };
}

function readToken(field: "inputTokens" | "outputTokens" | "cacheRead" | "cacheWrite", told: Usage): Usage {
  const count = told[field];
  return isAmount(count) ? { [field]: Math.ceil(count) } : {};
}

function readDollars(field: "costUsd" | "spentUsd", told: Usage): Usage {
  const amount = told[field];
  return isAmount(amount) ? { [field]: amount } : {};
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MOST;
}
