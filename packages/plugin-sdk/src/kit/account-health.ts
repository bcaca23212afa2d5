import type { ChannelContext } from "../channel/channel-context.ts";
import { ChannelError } from "../channel/channel-error.ts";
import type { Log } from "../port/log.ts";

/** What the operator hears of how one account fares: each change once, not each attempt. */
export interface AccountHealth {
  recover(): void;
  retry(error: ChannelError): void;
  fail(error: ChannelError): void;
  /** The account runs, and there is something to know about it. */
  note(sentence: string): void;
}

export function createAccountHealth(report: ChannelContext<unknown>["report"], log: Log): AccountHealth {
  let trouble: string | undefined;
  return {
    recover() {
      if (trouble === undefined) return;
      trouble = undefined;
      report("running");
    },
    retry(error) {
      if (trouble === error.message) return;
      trouble = error.message;
      report("retrying", error);
    },
    fail(error) {
      trouble = error.message;
      report("failed", error);
    },
    note(sentence) {
      trouble = undefined;
      log.warn({}, sentence);
      report("running", new ChannelError("permanent", sentence));
    },
  };
}
