import type { Step } from "@banyan/plugin-sdk/store";
import type { CommitFault, MemoryData } from "@banyan/store-memory";

/** Binds an address to another session right before the first step that removes what is bound there, as a process beside. */
export function createRebinding(
  data: MemoryData,
  to: { readonly id: string; readonly sessionKey: string },
): CommitFault {
  return (step, when) => {
    const address = when === "before" ? findUnbound(step) : undefined;
    const bound = address === undefined ? undefined : data.runs.bindings.get(address);
    if (address !== undefined && bound !== undefined && bound.row.id !== to.id) {
      data.runs.bindings.set(address, { ...bound, row: Object.freeze({ ...bound.row, ...to }) });
      data.routes.revision += 1;
    }
    return "none";
  };
}

function findUnbound(step: Step): string | undefined {
  const effect = step.step === "command" ? step.bind : step.step === "bind" ? step : undefined;
  return effect?.binding === null ? effect.address : undefined;
}
