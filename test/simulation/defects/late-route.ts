import { type ChannelPlugin, isAddress, parseAddress, resolveChatOf } from "@banyan/plugin-sdk";
import type { Step, StepResult, StepResults } from "@banyan/store";
import type { Ground } from "../world/ground.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import type { Defect } from "./defect.ts";

/** Where a standing row goes is looked up when it is sent: where its session was last spoken to. */
export const lateRoute: Defect = {
  name: "late-route",
  breaks: ["I10"],
  wrapStore(store, ground) {
    function commit<S extends Step>(step: S): Promise<StepResult<S>>;
    async function commit(step: Step): Promise<StepResults[keyof StepResults]> {
      const result = await store.commit(step);
      if (step.step === "attempt" && result.status === "done") readdress(ground, step.id);
      return result;
    }
    return { ...store, commit };
  },
  wrapPlugin: (plugin, { data }) => ({ ...plugin, connect: (context) => connectAstray(plugin, data, context) }),
};

function readdress({ data: { deliveries, items }, store: { tamper } }: Ground, id: string): void {
  const record = deliveries.get(id);
  const heard = [...items.values()].filter(({ row }) => row.lane === record?.row.sessionKey && row.kind === "message");
  const address = heard.at(-1)?.row.address;
  if (record === undefined || address === undefined || !isAddress(address)) return;
  const { channel, account } = parseAddress(address);
  tamper.readdress(id, { address, chat: resolveChatOf(address), channel, account });
}

/** The connection that has the row sends it astray itself, where it can reach that chat; else whoever reads it next. */
async function connectAstray(
  plugin: ChannelPlugin,
  data: StoreMirror,
  context: Parameters<ChannelPlugin["connect"]>[0],
): ReturnType<ChannelPlugin["connect"]> {
  const connection = await plugin.connect(context);
  // A place in its pace was taken for the chat that the row was for.
  if (connection.pace !== undefined) return connection;
  return {
    ...connection,
    send(message) {
      const row = data.deliveries.get(`${message.deliveryId}.${message.part}`)?.row;
      const isReached = row?.channel === plugin.id && row.account === context.account && isAddress(row.address);
      return connection.send(isReached ? { ...message, address: row.address } : message);
    },
  };
}
