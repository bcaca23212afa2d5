import { type Address, isAddress } from "@banyan/plugin-sdk";
import type { BindingRow, NewTimer } from "@banyan/plugin-sdk/store";

/** A thread of a child that is bound no more is to be closed, with the mark of its run where that closed it. */
export const THREAD_CLOSING = "thread-closing";

export interface ClosingThread {
  readonly address: Address;
  /** Whose end is shown; empty: the thread keeps its name. */
  readonly runId: string;
}

/**
 * The binding is gone by the time the timer fires, so the place stands in the timer itself. `runId`: the thread closes
 * because that run has ended.
 */
export function buildThreadClosing(
  { id, address }: Pick<BindingRow, "id" | "address">,
  runId: string | undefined,
  dueInMs = 0,
): NewTimer {
  return { id: `${THREAD_CLOSING}|${id}`, kind: THREAD_CLOSING, subject: `${runId ?? ""} ${address}`, dueInMs };
}

/** `undefined` for what no version of ours has written. */
export function parseThreadClosing(subject: string): ClosingThread | undefined {
  const gap = subject.indexOf(" ");
  const address = subject.slice(gap + 1);
  return gap === -1 || !isAddress(address) ? undefined : { runId: subject.slice(0, gap), address };
}
