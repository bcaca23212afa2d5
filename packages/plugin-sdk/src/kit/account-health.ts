import type { ChannelContext } from "../channel/channel-context.ts";
import { ChannelError } from "../channel/channel-error.ts";
import type { Log } from "../port/log.ts";

/** What the operator hears of how one account fares: each change once, not each attempt. */
export interface AccountHealth {
  recover(): void;
  retry(error: ChannelError): void;
  fail(error: ChannelError): void;
  /**
   * There is something to know about the account, which is shown while it runs, until the function that it returns is called.
   * It ends no trouble: during trouble it is only logged, and shown after it.
   */
  note(sentence: string): () => void;
}

export function createAccountHealth(report: ChannelContext<unknown>["report"], log: Log): AccountHealth {
  let trouble: string | undefined;
  const notes = new Set<string>();
  function reportRunning(): void {
    if (notes.size === 0) report("running");
    else report("running", new ChannelError("permanent", [...notes].join("; ")));
  }
  return {
    recover() {
      if (trouble === undefined) return;
      trouble = undefined;
      reportRunning();
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
      log.warn({}, sentence);
      notes.add(sentence);
      if (trouble === undefined) reportRunning();
      return () => {
        if (notes.delete(sentence) && trouble === undefined) reportRunning();
      };
    },
  };
}
