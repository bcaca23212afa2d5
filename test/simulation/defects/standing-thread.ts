import type { Defect } from "./defect.ts";

/** What was opened for a spawn that came to nothing stays open. */
export const standingThread: Defect = {
  name: "standing-thread",
  breaks: ["threads"],
  needsGuild: true,
  wrapPlugin: (plugin) => ({
    ...plugin,
    async connect(context) {
      const connection = await plugin.connect(context);
      const { threads } = connection;
      return threads === undefined
        ? connection
        : { ...connection, threads: { ...threads, withdraw: async () => undefined } };
    },
  }),
};
