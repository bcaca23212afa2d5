import { ChannelError, type ChannelErrorOptions } from "@banyan/plugin-sdk";
import { type CallContext, classifyDiscordError, type DiscordFault } from "./discord-fault.ts";
import { redactCause, redactToken } from "./secret-redaction.ts";

/**
 * Makes the `ChannelError` of whatever a call threw. `attempt` says what was tried: "Sending a message to channel 42".
 * A fault that was classified before goes in as `fault`.
 */
export type FaultReport = (
  attempt: string,
  error: unknown,
  context?: CallContext,
  fault?: DiscordFault,
) => ChannelError;

/** The errors of one account: they never carry its token. A `ChannelError` passes as it is. */
export function createFaultReport(token: string): FaultReport {
  return (attempt, error, context = {}, fault = classifyDiscordError(error, context)) => {
    if (error instanceof ChannelError) return error;
    const { retryAfterMs, isAccountWide } = fault;
    const options: ChannelErrorOptions = {
      cause: redactCause(error, token),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(isAccountWide !== undefined && { isAccountWide }),
    };
    return new ChannelError(fault.class, redactToken(`${attempt}: ${fault.what}; ${fault.advice}`, token), options);
  };
}
