import type { Defect } from "./defect.ts";
import { rewriteCalls } from "./rewrite-calls.ts";

const STARTER = /^\/channels\/\d+\/messages\/\d+$/;

/** A thread is taken back, and the message that it was opened from is left. */
export const standingStarter: Defect = {
  name: "standing-starter",
  breaks: ["threads"],
  needsGuild: true,
  wrapApi: (api) =>
    rewriteCalls(api, (call) => (call.method === "delete" && STARTER.test(call.route) ? { answer: {} } : call)),
};
