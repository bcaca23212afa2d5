import { ChannelError, type ChannelErrorOptions, formatAddress } from "@banyan/plugin-sdk";
import { redactCause, redactToken } from "./secret-redaction.ts";
import { classifyTelegramError, type TelegramFault } from "./telegram-fault.ts";

/** Makes the `ChannelError` of whatever a call threw. `attempt` says what was tried: "Sending a message to chat 42". */
export type FaultReport = (attempt: string, error: unknown, fault?: TelegramFault) => ChannelError;

/** The errors of one account: they carry its addresses and never its token. A `ChannelError` passes as it is. */
export function createFaultReport(account: string, token: string): FaultReport {
  return (attempt, error, fault = classifyTelegramError(error)) => {
    if (error instanceof ChannelError) return error;
    const { retryAfterMs, isAccountWide, migratedToChatId: chat } = fault;
    const options: ChannelErrorOptions = {
      cause: redactCause(error, token),
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(isAccountWide !== undefined && { isAccountWide }),
      ...(chat !== undefined && { migratedTo: formatAddress({ channel: "telegram", account, kind: "group", chat }) }),
    };
    return new ChannelError(fault.class, redactToken(`${attempt}: ${fault.what}; ${fault.advice}`, token), options);
  };
}
