import type { Defect } from "./defect.ts";

/** Another delivery's message with the same words is taken for one's own. */
export const claimedTwice: Defect = {
  name: "claimed-twice",
  breaks: ["I9"],
  needsGuild: true,
  wrapPlugin: (plugin) => ({
    ...plugin,
    connect: (context) => plugin.connect({ ...context, findDelivered: async () => new Set<string>() }),
  }),
};
