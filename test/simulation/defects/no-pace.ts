import type { Defect } from "./defect.ts";

/** The platform's published pace is not kept. */
export const noPace: Defect = {
  name: "no-pace",
  breaks: ["pace"],
  wrapPlugin: (plugin) => ({
    ...plugin,
    connect: async (context) => {
      const { pace: _, ...connection } = await plugin.connect(context);
      return connection;
    },
  }),
};
