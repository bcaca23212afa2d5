import { type Address, isAddress, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { EndRuns, NewDelivery, RunEnd } from "@banyan/store";
import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** Where a run's end is told is decided when it ends: where its requester was last spoken to. */
export const lateTarget: Defect = {
  name: "late-target",
  breaks: ["I10"],
  wrapStore(store) {
    const routes = new Map<string, Address>();
    const turn = (end: RunEnd): RunEnd => {
      const address = routes.get(end.completion?.lane ?? "");
      if (address === undefined || end.completion === undefined) return end;
      const deliveries = end.deliveries.map((row) => readdress(row, address));
      return { ...end, target: address, completion: { ...end.completion, address }, deliveries };
    };
    const turnAll = <E extends EndRuns>(carried: E): E => ({ ...carried, ends: carried.ends.map(turn) });
    return rewriteSteps(store, (step) => {
      if (step.step === "receive")
        for (const { lane, address } of step.items) if (isAddress(address)) routes.set(lane, address);
      if (step.step === "end_runs") return turnAll(step);
      return step.step === "commit_turn" && step.run !== undefined ? { ...step, run: turnAll(step.run) } : step;
    });
  },
};

function readdress(row: NewDelivery, address: Address): NewDelivery {
  const { channel, account } = parseAddress(address);
  return { ...row, address, chat: resolveChatOf(address), channel, account };
}
