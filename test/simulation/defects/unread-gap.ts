import type { Defect } from "./defect.ts";
import { rewriteCalls } from "./rewrite-calls.ts";

/** What was said while nobody listened is not read where the session does not go on. */
export const unreadGap: Defect = {
  name: "unread-gap",
  breaks: ["I12"],
  needsGuild: true,
  wrapApi: (api) =>
    rewriteCalls(api, (call) => (call.attempt.startsWith("Reading what was said") ? { answer: [] } : call)),
};
