import { type JournalledCall, CallJournal as KitJournal, type Signal } from "@banyan/emulator-kit";
import { EmulatorError } from "../ports/error.ts";

export { type CallCount, RECORD_LIMIT } from "@banyan/emulator-kit";

/** One API call as the emulator saw it: the witness of what a gateway did. */
export interface CallRecord extends JournalledCall {
  /** Undefined where the token is nobody's. */
  readonly botId?: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface CallFilter {
  readonly method?: string;
  readonly botId?: number;
  readonly isAccepted?: boolean;
}

/** The calls of the Bot API, counted by method. */
export class CallJournal extends KitJournal<CallRecord, CallFilter> {
  constructor(mode: "calls" | "counts", changed: Signal) {
    super(mode, changed, {
      nameOf: ({ method }) => method,
      formatName: (method) => method,
      matches,
      failLimit: (text) => new EmulatorError("limit_reached", text),
    });
  }

  open(call: Pick<CallRecord, "botId" | "method" | "params" | "atMs">): CallRecord {
    return this.keep((seq) => ({ seq, ...call, isAccepted: false, isDropped: false }));
  }
}

function matches(call: CallRecord, { method, botId, isAccepted }: CallFilter): boolean {
  return (
    (method === undefined || call.method === method) &&
    (botId === undefined || call.botId === botId) &&
    (isAccepted === undefined || call.isAccepted === isAccepted)
  );
}
