import type { Step } from "@banyan/store";
import { type CommitFault, createInlineStore, type InlineDatabase } from "@banyan/store-sqlite/inline";

/** Binds an address to another session right before the first step that removes what is bound there, as another process. */
export function createRebinding(
  data: InlineDatabase,
  { id, sessionKey }: { readonly id: string; readonly sessionKey: string },
): CommitFault {
  const other = createInlineStore({ data });
  return (step, when) => {
    const address = when === "before" ? findUnbound(step, id) : undefined;
    if (address !== undefined) {
      const binding = { id, address, sessionKey, kind: "thread" } as const;
      void other.commit({ step: "bind", address, binding, timers: [], endTimers: [] });
    }
    return "none";
  };
}

function findUnbound(step: Step, id: string): string | undefined {
  const effect = step.step === "command" ? step.bind : step.step === "bind" ? step : undefined;
  return effect?.binding === null && effect.bindingId !== id ? effect.address : undefined;
}
