/**
 * A stranger's channel with threads, as its author would write it, over `ctx.fetch`: its platform is a server on loopback
 * (`canopy-platform.ts`) that outlives the gateway. Tests copy this file into the folder of a grove.
 */
import {
  type Address,
  type ChannelContext,
  ChannelError,
  type ChannelPlugin,
  defineChannelPlugin,
  parseAddress,
} from "@banyan/plugin-sdk";
import { z } from "zod";
import { type CanopyLine, createCanopyLine } from "./canopy-line.ts";
import { tapCanopyHooks } from "./canopy-taps.ts";
import type { CanopySaid } from "./canopy-wire.ts";

const RETRY_MS = 100;

export interface CanopyConfig {
  readonly url: string;
  /** Taps set by hand, by name. */
  readonly taps: readonly string[];
}

const Config: z.ZodType<CanopyConfig> = z.strictObject({ url: z.string(), taps: z.array(z.string()).default([]) });

const canopy: ChannelPlugin<CanopyConfig> = defineChannelPlugin({
  id: "canopy",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm", "group"],
    text: { limit: 1_000, measure: (text) => text.length },
    threads: true,
    edits: false,
    // The platform keeps every key it has seen.
    delivery: "effectively-once",
  },
  config: Config,
  async connect(context) {
    const line = createCanopyLine(context, context.config.url);
    tapCanopyHooks(context.hooks, line, context.config.taps);
    void poll(context, line);
    return {
      async send({ deliveryId, part, address, text, kind, mayHaveArrived, turnId }) {
        const sent = await line.call("send", {
          key: `${deliveryId}.${part}`,
          place: line.placeOf(address),
          text,
          kind,
          mayHaveArrived,
          ...(turnId === undefined ? {} : { turnId }),
        });
        return { platformId: sent.id };
      },
      threads: {
        async open({ bindingId, parent, name, hello }) {
          const opened = await line.call("open", { bindingId, parent: line.placeOf(parent), name, hello });
          return { address: line.addressOf(opened.place) };
        },
        withdraw: async ({ bindingId }) => void (await line.call("withdraw", { bindingId })),
        // How the run ended is told by the name alone there.
        async archive({ address, outcome: _outcome, ...request }) {
          await line.call("archive", { thread: threadOf(address), ...request });
        },
        rename: async ({ address, name }) => void (await line.call("rename", { thread: threadOf(address), name })),
        probe: async (address) => (await line.call("probe", { thread: threadOf(address) })).state,
      },
      close: async () => undefined,
    };
  },
});

function threadOf(address: Address): string {
  const { thread } = parseAddress(address);
  if (thread === undefined) throw new ChannelError("permanent", `A thread was named: ${address} is none`);
  return thread;
}

async function poll(context: ChannelContext<CanopyConfig>, line: CanopyLine): Promise<void> {
  const { signal, clock, log } = context;
  let after = Number(context.cursor ?? 0);
  while (!signal.aborted) {
    try {
      const { messages, cursor } = await line.call("updates", { after });
      for (const { isGone, place } of messages) if (isGone) await context.threadGone(line.addressOf(place));
      const received = messages.filter(({ isGone }) => !isGone).map((message) => buildMessage(message, line));
      if (messages.length > 0) await context.receive(received, { cursor: String(cursor) });
      after = cursor;
    } catch (error) {
      if (signal.aborted) return;
      log.warn({ err: error }, "the canopy is not heard");
      await new Promise<void>((resolve) => {
        clock.schedule(RETRY_MS, resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }
}

function buildMessage({ id, place, from, text, addressed, at }: CanopySaid, line: CanopyLine) {
  return {
    id,
    address: line.addressOf(place),
    sender: { id: from },
    text,
    at,
    ...(addressed === undefined ? {} : { addressed }),
  };
}

/** @public The gateway of a grove imports it by its path. */
export default canopy;
