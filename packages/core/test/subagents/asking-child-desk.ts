import { type Address, formatAddress } from "@banyan/plugin-sdk";
import { TreeDesk, type TreeDeskOptions } from "./tree-desk.ts";

export interface AskingChildDesk {
  readonly desk: TreeDesk;
  /** What the sub-agent asks for takes until this is resolved with its result. */
  readonly leaf: PromiseWithResolvers<string>;
}

/** A thread of the channel `irc`. */
export function buildThread(chat: string, thread: string): Address {
  return formatAddress({ channel: "irc", account: "default", kind: "group", chat, thread });
}

/** A sub-agent (`middle`) that asks one of its own whenever a person says please. Threads are opened at `thread`. */
export async function openAskingChild(
  thread: Address,
  options: TreeDeskOptions["options"] = {},
): Promise<AskingChildDesk> {
  const desk = await new TreeDesk({ options }).start();
  const leaf = Promise.withResolvers<string>();
  desk.gateway.hooks.subagent_spawning.tapPromise("grove", async ({ bindingId = "" }) => ({
    status: "ok",
    threadBindingReady: true,
    binding: { id: bindingId, address: thread },
  }));
  desk.plays(/^middle/, () => "ready");
  desk.plays(/^please/, async ({ call }) => {
    await call("sessions_spawn", { task: "leaf", label: "x" });
    return "I asked x";
  });
  desk.plays(/^leaf/, () => leaf.promise);
  desk.plays(/“x”/, ({ input }) => `x found ${input.input[0]?.completion?.result}`);
  return { desk, leaf };
}
