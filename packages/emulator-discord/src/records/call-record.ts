import { type JournalledCall, CallJournal as KitJournal, type Signal } from "@banyan/emulator-kit";
import { formatRoute } from "../faults/fault-list.ts";
import { EmulatorError } from "../ports/error.ts";

export { type CallCount, RECORD_LIMIT } from "@banyan/emulator-kit";

/** One API call as the emulator saw it: the witness of what a gateway did. */
export interface CallRecord extends JournalledCall {
  /** Undefined where the token is nobody's, or none is asked for. */
  readonly botId?: string;
  /** The route's template, such as "POST /channels/:channel/messages"; method and path where there is none. */
  readonly route: string;
  /** The path as called, without `/api/v10`. */
  readonly path: string;
  readonly query: string;
  /** The JSON body, or `payload_json` of a form. */
  readonly body?: unknown;
  /** Names of uploaded files. */
  readonly files: readonly string[];
}

export interface CallFilter {
  readonly route?: string;
  readonly botId?: string;
  readonly isAccepted?: boolean;
}

/** The calls of the REST API, counted by route. */
export class CallJournal extends KitJournal<CallRecord, CallFilter> {
  constructor(mode: "calls" | "counts", changed: Signal) {
    super(mode, changed, {
      nameOf: ({ route }) => route,
      formatName: formatRoute,
      matches,
      failLimit: (text) => new EmulatorError("limit_reached", text),
    });
  }

  open(call: Pick<CallRecord, "botId" | "route" | "path" | "query" | "body" | "files" | "atMs">): CallRecord {
    return this.keep((seq) => ({ seq, ...call, isAccepted: false, isDropped: false }));
  }
}

function matches(call: CallRecord, { route, botId, isAccepted }: CallFilter): boolean {
  return (
    (route === undefined || formatRoute(call.route) === formatRoute(route)) &&
    (botId === undefined || call.botId === botId) &&
    (isAccepted === undefined || call.isAccepted === isAccepted)
  );
}
