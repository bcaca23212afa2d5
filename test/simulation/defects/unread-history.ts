import type { Defect } from "./defect.ts";
import { rewriteCalls } from "./rewrite-calls.ts";

/** A message whose end is unclear is sent again, however long ago it was sent first: nobody looks whether it stands there. */
export const unreadHistory: Defect = {
  name: "unread-history",
  // The beginning of an answer is looked for in the same way, to take it away.
  breaks: ["I9", "drafts"],
  needsGuild: true,
  wrapApi: (api) =>
    rewriteCalls(api, (call) => (call.attempt.startsWith("Looking for a message that may be") ? { answer: [] } : call)),
};
