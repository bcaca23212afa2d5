import type { Defect } from "./defect.ts";

/** The place in the platform's sequence is stored first, and the messages up to it in a step of their own. */
export const earlyCursor: Defect = {
  name: "early-cursor",
  breaks: ["I12"],
  needsGuild: true,
  wrapPlugin: (plugin) => ({
    ...plugin,
    connect: (context) =>
      plugin.connect({
        ...context,
        receive: async (messages, options) => {
          await context.receive([], options);
          return context.receive(messages);
        },
      }),
  }),
};
