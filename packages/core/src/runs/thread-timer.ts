import { type Address, isAddress } from "@banyan/plugin-sdk";
import type { BindingRow, NewTimer, TimerRow } from "@banyan/store";

/** A thread of a child that is bound no more is to be closed, with the mark of its run where that closed it. */
export const THREAD_CLOSING = "thread-closing";
/** A thread that stays open is to be renamed, with the mark of its run. */
export const THREAD_NAMING = "thread-naming";

export interface TimedThread {
  readonly bindingId: string;
  readonly address: Address;
  /** Whose end is shown; empty: the thread keeps its name. */
  readonly runId: string;
}

/**
 * The binding may be gone by the time the timer fires, so the place stands in the timer itself. `runId`: the thread closes
 * because that run has ended.
 */
export function buildThreadClosing(
  thread: Pick<BindingRow, "id" | "address">,
  runId: string | undefined,
  dueInMs = 0,
): NewTimer {
  return buildThreadTimer(THREAD_CLOSING, thread, runId, dueInMs);
}

/** Due at once. */
export function buildThreadNaming(thread: Pick<BindingRow, "id" | "address">, runId: string): NewTimer {
  return buildThreadTimer(THREAD_NAMING, thread, runId, 0);
}

function buildThreadTimer(
  kind: string,
  { id, address }: Pick<BindingRow, "id" | "address">,
  runId: string | undefined,
  dueInMs: number,
): NewTimer {
  return { id: `${kind}|${id}`, kind, subject: `${runId ?? ""} ${address}`, dueInMs };
}

/** `undefined` for what no version of ours has written. */
export function parseThreadTimer({
  id,
  kind,
  subject,
}: Pick<TimerRow, "id" | "kind" | "subject">): TimedThread | undefined {
  const gap = subject.indexOf(" ");
  const address = subject.slice(gap + 1);
  if (gap === -1 || !isAddress(address) || !id.startsWith(`${kind}|`)) return undefined;
  return { bindingId: id.slice(kind.length + 1), runId: subject.slice(0, gap), address };
}
