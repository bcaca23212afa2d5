import type { CommandStep, Store } from "@banyan/store";
import type { Outbox } from "../outbound/outbox.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";

interface CommitParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly outbox: Outbox;
  readonly owner: string;
  readonly signal: AbortSignal;
}

export type CommandEnd =
  | { readonly status: "done"; readonly waiting: number; readonly wakes: readonly string[] | undefined }
  /** Nothing was written: decide again. */
  | { readonly status: "conflict" }
  /** The command is not there to be ended, or ended otherwise. */
  | { readonly status: "gone" };

/**
 * Commits a command's end and sends its answer on its way. `waiting` counts the items left in the lane; `wakes` are other
 * lanes that have something to do, `undefined` where a repeat did not say which.
 */
export async function commitCommand(ended: Omit<CommandStep, "step">, parts: CommitParts): Promise<CommandEnd> {
  const { outbox } = parts;
  const deliveries = outbox.reserve(ended.deliveries, parts.owner);
  let end: CommandEnd = { status: "gone" };
  try {
    end = await sendStep({ ...ended, step: "command", deliveries }, parts);
  } finally {
    if (end.status === "done") outbox.enqueue(deliveries);
    else outbox.release(deliveries);
  }
  return end;
}

async function sendStep(step: CommandStep, parts: CommitParts): Promise<CommandEnd> {
  const { store, ports, signal } = parts;
  ports.faultPoint("command.before");
  const committed = await commitPatiently(store, step, ports, signal);
  ports.faultPoint("command.after");
  if (committed.status === "done") {
    return { status: "done", waiting: committed.waiting, wakes: committed.wakes ?? [] };
  }
  if (committed.status === "refused") {
    const { reason } = committed;
    // What it does to sub-agents may be refused for reasons of its own.
    const { accept, runs, bind, items, answer } = step;
    const canDiffer =
      accept !== undefined || runs !== undefined || bind !== undefined || items.length > 0 || answer !== undefined;
    const isConflict = canDiffer || reason === "conflict" || reason === "stale_route";
    return { status: isConflict ? "conflict" : "gone" };
  }
  // After a repeat it is our own commit: what it wrote is stored under the id it was given here.
  return (await isStored(step, store)) ? { status: "done", waiting: 1, wakes: undefined } : { status: "gone" };
}

/** A command without an answer is known by the conversation that it began. */
async function isStored({ deliveries: [first], lane, session }: CommandStep, { read }: Store): Promise<boolean> {
  if (first !== undefined) return (await read.delivery(first.id)) !== undefined;
  return session !== undefined && (await read.session(lane))?.sessionId === session.sessionId;
}
