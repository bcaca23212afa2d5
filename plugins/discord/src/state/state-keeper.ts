import type { ChannelContext, InboundMessage, ReceiveOutcome } from "@banyan/plugin-sdk";
import { type AccountState, formatAccountState, parseAccountState } from "./account-state.ts";

/** The state of one account while it runs. */
export interface StateKeeper {
  readonly state: AccountState;
  /** Changes what is stored with the next write. For what may be found out again. */
  note(change: (state: AccountState) => AccountState): void;
  /**
   * Stores messages together with the state as `change` makes it, one write at a time; the change counts once it is
   * stored. Rejects when nothing was stored.
   */
  store(
    messages: readonly InboundMessage[],
    change?: (state: AccountState) => AccountState,
  ): Promise<readonly ReceiveOutcome[]>;
  /** Stores what was noted since the last write, if anything. */
  keep(): Promise<void>;
}

export interface StateKeeperOptions {
  readonly cursor: string | undefined;
  readonly receive: ChannelContext<unknown>["receive"];
  /** Milliseconds since the epoch by Discord's clock. */
  readonly platformNow: () => number | undefined;
}

export function createStateKeeper({ cursor, receive, platformNow }: StateKeeperOptions): StateKeeper {
  let state = parseAccountState(cursor);
  let kept = state;
  // A write that was formed earlier and stored later would take back what the other one says.
  let writing: Promise<unknown> = Promise.resolve();

  async function write(
    messages: readonly InboundMessage[],
    change: (before: AccountState) => AccountState,
  ): Promise<readonly ReceiveOutcome[]> {
    const next = change(state);
    const now = platformNow();
    const outcomes = await receive(messages, {
      cursor: formatAccountState(next),
      ...(now !== undefined && { platformNow: now }),
    });
    kept = next;
    // What was noted meanwhile stays.
    state = change(state);
    return outcomes;
  }

  function store(
    messages: readonly InboundMessage[],
    change: (before: AccountState) => AccountState = (same) => same,
  ): Promise<readonly ReceiveOutcome[]> {
    const written = writing.then(() => write(messages, change));
    writing = written.catch(() => undefined);
    return written;
  }

  return {
    get state() {
      return state;
    },
    note(change) {
      state = change(state);
    },
    store,
    async keep() {
      if (kept !== state) await store([]);
    },
  };
}
