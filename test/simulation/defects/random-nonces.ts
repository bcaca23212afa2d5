import type { Defect } from "./defect.ts";
import { rewriteCalls } from "./rewrite-calls.ts";

/** Each attempt at a message bears a key of its own. */
export const randomNonces: Defect = {
  name: "random-nonces",
  breaks: ["I9", "threads"],
  needsGuild: true,
  wrapApi: (api, ground) =>
    rewriteCalls(api, (call) => {
      const { body = {} } = call;
      return "nonce" in body ? { ...call, body: { ...body, nonce: ground.createId() } } : call;
    }),
};
