import type { Defect } from "./defect.ts";

/** Another delivery's message with the same words is taken for one's own. */
export const claimedTwice: Defect = {
  name: "claimed-twice",
  mostSeeds: 2_000,
  breaks: ["I9"],
  needsGuild: true,
  wrapPlugin: (plugin) => ({
    ...plugin,
    connect: (context) => plugin.connect({ ...context, findDelivered: async () => new Set<string>() }),
  }),
};
