import { type Address, formatAddress, isAddress, parseAddress } from "@banyan/plugin-sdk";
import { listBindingTimerIds } from "../bindings/binding-timer.ts";
import { composeDeliveries } from "../outbound/compose-deliveries.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/** A thread that was opened again and shut again is told of again. */
const DAY_MS = 24 * 60 * 60_000;

/** What people are told. A look does not know the reason that a plugin finds out, so each is told of by itself. */
export interface ThreadNotice {
  readonly text: string;
  readonly by: "look" | "plugin";
}

/**
 * The platform says that a thread is gone: what people may write at its place, should it ever come back, goes its normal
 * way. Rejects where that could not be written.
 */
export async function freeThread(address: string, parts: SubagentParts, notice?: ThreadNotice): Promise<void> {
  const { store, ports, signal } = parts;
  // Before: where the process dies in between the plugin tells it again, and it is said once.
  if (notice !== undefined && isAddress(address)) await sayAbove(address, notice, parts);
  const { bindings } = await store.read.routes();
  const binding = bindings.find((one) => one.address === address);
  if (binding === undefined) return;
  const { id: bindingId } = binding;
  const unbind = { address, binding: null, bindingId, timers: [], endTimers: listBindingTimerIds(bindingId) };
  const { status } = await commitPatiently(store, { step: "bind", ...unbind }, ports, signal);
  await parts.refreshRoutes();
  if (status === "done")
    ports.log.info({ address, session: binding.sessionKey }, "a thread is gone, and its sub-agent with it from there");
}

/** Tells people in the chat that the thread is in. */
async function sayAbove(thread: Address, { text, by }: ThreadNotice, parts: SubagentParts): Promise<void> {
  const { store, ports, signal, outbox } = parts;
  const { thread: _, ...chat } = parseAddress(thread);
  const address = formatAddress(chat);
  const { text: limit, policy } = parts.getChannel(address);
  const deliveries = composeDeliveries({
    // Whatever dies on the way, and however often it is told.
    deliveryId: `thread-gone|${thread}|${Math.floor(ports.clock.now() / DAY_MS)}|${by}`,
    kind: "notice",
    address,
    text: ports.scrub(text),
    limit,
    policy,
  });
  const step = { step: "set_timers", arm: [], end: [], deliveries } as const;
  await commitPatiently(store, step, ports, signal);
  outbox.enqueue(deliveries);
}

/** The same, found out by a message that was sent there. Never rejects: the next message finds it out again. */
export async function freeGoneThread(address: string, parts: SubagentParts): Promise<void> {
  try {
    await freeThread(address, parts);
  } catch (error) {
    parts.ports.log.error({ err: error, address }, "a thread that is gone is still bound");
  }
}
