import type { CommandStep, Store } from "@banyan/plugin-sdk/store";
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

/**
 * Commits a command's end and sends its answer on its way. Resolves with the number of items left in the lane;
 * `conflict`: nothing was written, decide again; `gone`: the command is not there to be ended, or ended otherwise.
 */
export async function commitCommand(
  ended: Omit<CommandStep, "step">,
  parts: CommitParts,
): Promise<number | "conflict" | "gone"> {
  const { outbox } = parts;
  const deliveries = outbox.reserve(ended.deliveries, parts.owner);
  let waiting: number | "conflict" | "gone" = "gone";
  try {
    waiting = await sendStep({ ...ended, step: "command", deliveries }, parts);
  } finally {
    if (typeof waiting === "number") outbox.enqueue(deliveries);
    else outbox.release(deliveries);
  }
  return waiting;
}

async function sendStep(step: CommandStep, parts: CommitParts): Promise<number | "conflict" | "gone"> {
  const { store, ports, signal } = parts;
  ports.faultPoint("command.before");
  const committed = await commitPatiently(store, step, ports, signal);
  ports.faultPoint("command.after");
  if (committed.status === "done") return committed.waiting;
  if (committed.status === "refused")
    return committed.reason === "conflict" || committed.reason === "stale_route" ? "conflict" : "gone";
  // After a repeat it is our own commit: its answer stands in the store under the id it was given here.
  const [first] = step.deliveries;
  return first !== undefined && (await store.read.delivery(first.id)) !== undefined ? 1 : "gone";
}
