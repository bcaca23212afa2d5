import { listBindingTimerIds } from "../bindings/binding-timer.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { SubagentParts } from "./subagent-parts.ts";

/**
 * The platform says that a thread is gone: what people may write at its place, should it ever come back, goes its normal
 * way. Rejects where that could not be written.
 */
export async function freeThread(address: string, parts: SubagentParts): Promise<void> {
  const { store, ports, signal } = parts;
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

/** The same, found out by a message that was sent there. Never rejects: the next message finds it out again. */
export async function freeGoneThread(address: string, parts: SubagentParts): Promise<void> {
  try {
    await freeThread(address, parts);
  } catch (error) {
    parts.ports.log.error({ err: error, address }, "a thread that is gone is still bound");
  }
}
