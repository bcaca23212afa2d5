import { type ChannelConnection, type ChannelContext, parseAddress } from "@banyan/plugin-sdk";
import { Arrivals } from "./arrivals.ts";
import { GrowingAnswers } from "./growing-answers.ts";
import { ReaderList } from "./reader-list.ts";
import { createWebchatApi } from "./webchat-api.ts";

const PATH = "/api/webchat";

/** Serves the chat until the account stops. `createId` names messages whose sender gave none. */
export async function connectWebchat(
  context: ChannelContext<unknown>,
  createId: () => string,
): Promise<ChannelConnection> {
  const { account, clock } = context;
  const path = account === "default" ? PATH : `${PATH}/accounts/${encodeURIComponent(account)}`;
  const arrivals = new Arrivals();
  const readers = new ReaderList(clock);
  const answers = new GrowingAnswers({
    clock,
    tell: (peer, event) => readers.tell(peer, event, { isVolatile: event.type === "progress" }),
  });
  const serve = createWebchatApi({ path, context, readers, answers, arrivals, createId });
  const unmount = context.http.mount(path, serve, { access: "operator" });
  const stop = (): void => {
    unmount();
    answers.close();
    readers.close();
  };
  context.signal.addEventListener("abort", stop, { once: true });
  if (context.signal.aborted) stop();

  return {
    async send({ deliveryId, part, address, kind, text }) {
      const peer = parseAddress(address).chat;
      const id = `${deliveryId}.${part}`;
      await arrivals.settled(peer);
      // Readers who are not connected find it in the history, so being told is all there is to confirm.
      readers.tell(peer, { type: "message", id, role: "assistant", kind, text, at: clock.now() });
      return { platformId: id };
    },
    progress: {
      update: ({ turnId, address, textSoFar }) => answers.update(turnId, parseAddress(address).chat, textSoFar),
      end: ({ turnId }) => answers.end(turnId),
    },
    async close() {
      context.signal.removeEventListener("abort", stop);
      stop();
    },
  };
}
