import { type Address, formatAddress, parseAddress } from "@banyan/plugin-sdk";
import type { Defect } from "./defect.ts";

/** What is for a thread goes into the channel that it hangs below. */
export const besideTheThread: Defect = {
  name: "beside-the-thread",
  breaks: ["I10"],
  needsGuild: true,
  wrapPlugin: (plugin) => ({
    ...plugin,
    async connect(context) {
      const connection = await plugin.connect(context);
      return {
        ...connection,
        send: (message) => connection.send({ ...message, address: leaveThread(message.address) }),
      };
    },
  }),
};

function leaveThread(address: Address): Address {
  const { thread: _, ...chat } = parseAddress(address);
  return formatAddress(chat);
}
