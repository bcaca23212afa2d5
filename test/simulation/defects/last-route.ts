import { type Address, isAddress, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { Defect } from "./defect.ts";
import { rewriteSteps } from "./rewrite-steps.ts";

/** An answer goes to where its session was last heard of, when it is written. */
export const lastRoute: Defect = {
  name: "last-route",
  breaks: ["I10"],
  wrapStore(store) {
    const routes = new Map<string, Address>();
    return rewriteSteps(store, (step) => {
      if (step.step === "receive")
        for (const { lane, address } of step.items) if (isAddress(address)) routes.set(lane, address);
      const address = step.step === "commit_turn" ? routes.get(step.lane) : undefined;
      if (step.step !== "commit_turn" || address === undefined) return step;
      const { channel, account } = parseAddress(address);
      const route = { address, chat: resolveChatOf(address), channel, account };
      return { ...step, deliveries: step.deliveries.map((row) => ({ ...row, ...route })) };
    });
  },
};
