import {
  type Address,
  ChannelError,
  type Clock,
  type Log,
  type RunOutcome,
  type ThreadsAbility,
} from "@banyan/plugin-sdk";
import { inTime, LATE } from "../ports/in-time.ts";
import { formatGoodbye, nameClosedThread } from "./thread-name.ts";

/** Nobody waits for it but a timer. */
const CALL_TIMEOUT_MS = 30_000;

export interface ThreadHost {
  readonly clock: Clock;
  readonly log: Log;
  /** The ability of the account's connection: `none` where its channel has no threads; `undefined` while it is not connected. */
  findThreads(address: Address): ThreadsAbility | "none" | undefined;
}

/** `gone`: there is none any more. `absent`: its account is not connected, so it may be tried later. `failed` was logged. */
export type ThreadCall = "done" | "gone" | "absent" | "failed";

/** A thread on its way to its end. */
export interface EndingThread {
  readonly bindingId: string;
  readonly address: Address;
  /** As it was opened. */
  readonly name: string;
  /** Of its run; absent: it closes without an end, such as by age, and keeps its name. */
  readonly outcome?: RunOutcome;
}

/**
 * The thread is archived behind a goodbye, under a name with the mark of how the run ended where one did. Repeatable;
 * never rejects.
 */
export async function closeSpawnThread(thread: EndingThread, host: ThreadHost): Promise<ThreadCall> {
  const { bindingId, address, name, outcome } = thread;
  const renamed = outcome === undefined ? {} : { name: nameClosedThread(name, outcome), outcome };
  const request = { bindingId, address, ...renamed, goodbye: formatGoodbye(name, outcome) };
  return ask(address, "a thread was not archived", host, (threads) => threads.archive(request));
}

/** The thread stays open, under a name with the mark of how its run ended, where the platform can rename one. Never rejects. */
export async function renameSpawnThread(
  { address, name, outcome }: Required<Omit<EndingThread, "bindingId">>,
  host: ThreadHost,
): Promise<ThreadCall> {
  const request = { address, name: nameClosedThread(name, outcome), outcome };
  return ask(address, "a thread was not renamed", host, async (threads) => threads.rename?.(request));
}

/** Closes what stands open for a spawn that was cut off. Repeatable; never rejects. `parent`: who asked. */
export async function withdrawSpawnThread(
  { bindingId, parent }: { readonly bindingId: string; readonly parent: Address },
  host: ThreadHost,
): Promise<ThreadCall> {
  return ask(parent, "a thread was not removed", host, (threads) => threads.withdraw({ bindingId, parent }));
}

async function ask(
  address: Address,
  failure: string,
  { clock, log, findThreads }: ThreadHost,
  act: (threads: ThreadsAbility) => Promise<void>,
): Promise<ThreadCall> {
  const threads = findThreads(address);
  if (threads === undefined) return "absent";
  // Nothing can stand there, however often it is asked.
  if (threads === "none") return "done";
  try {
    const answer = await inTime(act(threads), CALL_TIMEOUT_MS, clock);
    if (answer !== LATE) return "done";
    log.warn({ address }, `${failure}: no answer within ${CALL_TIMEOUT_MS / 1_000} s`);
    return "failed";
  } catch (error) {
    if (error instanceof ChannelError && (error.class === "thread_gone" || error.class === "chat_gone")) return "gone";
    log.warn({ err: error, address }, failure);
    return "failed";
  }
}
