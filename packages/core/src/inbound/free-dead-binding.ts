import type { Store } from "@banyan/store";
import type { RouteState } from "../access/route-state.ts";
import { commitPatiently } from "../ports/commit-step.ts";
import type { Ports } from "../ports/ports.ts";

export interface DeadBindingParts {
  readonly store: Store;
  readonly ports: Ports;
  readonly routeState: RouteState;
  readonly signal: AbortSignal;
}

/**
 * Removes what binds these places to sessions that are gone or put away, so that what people write there goes its normal
 * way again. Called when the store knows no session of a message. Resolves with whether to decide anew, by the picture that
 * then stands: a binding went, here or elsewhere since `revision` was decided on.
 */
export async function freeDeadBindings(
  addresses: readonly string[],
  revision: number,
  { store, ports, routeState, signal }: DeadBindingParts,
): Promise<boolean> {
  const { findBinding, ...picture } = await routeState.refresh();
  let isFreed = picture.revision !== revision;
  for (const address of new Set(addresses)) {
    const binding = findBinding(address);
    if (binding === undefined) continue;
    const session = await store.read.session(binding.sessionKey);
    if (session !== undefined && session.archivedAtMs === undefined) continue;
    const unbind = { address, binding: null, bindingId: binding.id, timers: [], endTimers: [] };
    const { status } = await commitPatiently(store, { step: "bind", ...unbind }, ports, signal);
    isFreed = true;
    if (status !== "done") continue;
    ports.log.warn({ address, session: binding.sessionKey }, "a place was bound to a session that is gone; it is free");
  }
  return isFreed;
}
