import type { Defect } from "./defect.ts";

/** The platform is told that its messages are stored before they are. */
export const ackBeforeCommit: Defect = {
  name: "ack-before-commit",
  breaks: ["I12"],
  wrapPlugin: (plugin) => ({
    ...plugin,
    connect: (context) =>
      plugin.connect({
        ...context,
        receive: async (messages, options) => {
          context.receive(messages, options).catch((error: unknown) => context.log.warn({ err: error }, "lost"));
          return messages.map(() => "stored" as const);
        },
      }),
  }),
};
