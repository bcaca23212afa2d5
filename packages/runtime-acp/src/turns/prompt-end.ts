import { RequestError } from "@agentclientprotocol/sdk";
import type { TurnEnd } from "@banyan/plugin-sdk/runtime";
import type { PromptAnswer } from "../links/agent-answer.ts";
import { formatReason } from "../links/agent-failure.ts";

const AUTH_REQUIRED = -32_000;
const INTERNAL_ERROR = -32_603;

/** How a turn ends by what the agent said of its prompt. */
export function decideEnd({ stopReason }: Pick<PromptAnswer, "stopReason">, hasSpoken: boolean): TurnEnd {
  switch (stopReason) {
    case "max_tokens":
    case "max_turn_requests":
      return { reason: "length" };
    case "refusal":
      return hasSpoken ? { reason: "done" } : fail("The agent refuses to answer this; ask it in other words", false);
    case "cancelled":
      return fail("The agent has given up by itself", false);
    default:
      return { reason: "done" };
  }
}

export function decideDeath(how: string): TurnEnd {
  return fail(`${how} in the middle of its answer; write again to continue`, true);
}

export function decideFailure(agent: string, error: unknown): TurnEnd {
  if (!(error instanceof RequestError))
    return fail(`The agent ${agent} could not be understood: ${formatReason(error)}`, true);
  if (error.code === AUTH_REQUIRED)
    return fail(`The agent ${agent} needs a login: run it once in a terminal, on the host, and log in`, false);
  return fail(`The agent ${agent} failed: ${formatReason(error)}`, error.code === INTERNAL_ERROR);
}

export function fail(message: string, isRetryable: boolean): TurnEnd {
  return { reason: "error", error: { isRetryable, message } };
}
