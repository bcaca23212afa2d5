/**
 * A stranger's channel, as its author would write it: a platform in memory behind the gateway's own server. Tests copy
 * this file into the folder of a grove. People come in by POST; what was sent to them waits to be fetched.
 */
import {
  type ChannelContext,
  ChannelError,
  type ChannelPlugin,
  defineChannelPlugin,
  formatAddress,
  type InboundMessage,
  parseAddress,
} from "@banyan/plugin-sdk";
import { z } from "zod";
import { tapHooks } from "./wire-taps.ts";

const Said = z.strictObject({
  id: z.string(),
  text: z.string(),
  from: z.string(),
  name: z.string().optional(),
  isBot: z.boolean().optional(),
  addressed: z.boolean().optional(),
  guild: z.string().optional(),
  roles: z.array(z.string()).optional(),
  /** Milliseconds since the epoch. */
  at: z.number().optional(),
  editedAt: z.number().optional(),
  kind: z.enum(["dm", "group"]).default("dm"),
  chat: z.string().optional(),
  /** Where a plugin that lies says it comes from. */
  as: z.strictObject({ channel: z.string(), account: z.string() }).optional(),
});

/** A group that goes on under another id; a platform may leave it to the next refused message to say so. */
const Moved = z.strictObject({ from: z.string(), to: z.string(), isTold: z.boolean() });

/** How `send` behaves, and the taps that are set. */
const Config: z.ZodType<WireConfig> = z.strictObject({
  send: z.enum(["well", "throws", "nothing", "hangs"]).default("well"),
  taps: z.array(z.string()).default([]),
});

export interface WireConfig {
  readonly send: "well" | "throws" | "nothing" | "hangs";
  readonly taps: readonly string[];
}

const wire: ChannelPlugin<WireConfig> = defineChannelPlugin({
  id: "wire",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm", "group"],
    text: { limit: 400, measure: (text) => text.length },
    threads: false,
    edits: false,
    delivery: "at-least-once",
  },
  config: Config,
  async connect(context) {
    const sent: { to: string; text: string }[] = [];
    const readers = new Set<() => void>();
    const moved = new Map<string, string>();
    let mood = context.config.send;
    const told = tapHooks(context.hooks, context.config.taps);
    const path = context.account === "default" ? "/wire" : `/wire-${context.account}`;
    context.http.mount(
      path,
      async (request) => {
        const { pathname, searchParams } = new URL(request.url);
        if (pathname === `${path}/taps`) return Response.json(told);
        if (pathname === `${path}/mood`) {
          mood = Config.parse({ send: await request.json() }).send;
          return Response.json(mood);
        }
        if (pathname === `${path}/move`) return Response.json(await move(await request.json()));
        if (pathname === `${path}/say`) return Response.json(await receive(await request.json()));
        const after = Number(searchParams.get("after"));
        while (sent.length <= after) await new Promise<void>((resolve) => readers.add(resolve));
        return Response.json(sent.slice(Math.max(0, after)));
      },
      { access: "open" },
    );
    const groupOf = (chat: string) => formatAddress({ channel: "wire", account: context.account, kind: "group", chat });
    const move = async (body: unknown) => {
      const { from, to, isTold } = Moved.parse(body);
      moved.set(from, to);
      if (isTold) await context.migrateChat({ from: groupOf(from), to: groupOf(to) });
      return to;
    };
    const receive = (body: unknown) =>
      context.receive(
        z
          .array(Said)
          .parse(body)
          .map((said) => buildMessage(said, context)),
      );
    return {
      async send({ address, text }) {
        if (mood === "throws") throw new Error("the wire is cut");
        if (mood === "hangs") await new Promise(() => undefined);
        const { chat } = parseAddress(address);
        const to = moved.get(chat);
        if (to !== undefined)
          throw new ChannelError("migrated", `A message was sent to ${chat}: it is ${to} now`, {
            migratedTo: groupOf(to),
          });
        sent.push({ to: chat, text });
        for (const read of readers) read();
        readers.clear();
        return mood === "nothing" ? JSON.parse("null") : { platformId: String(sent.length) };
      },
      close: async () => undefined,
    };
  },
});

function buildMessage(
  { id, text, from, name, isBot, roles, kind, chat, as, at, ...said }: z.output<typeof Said>,
  { account, clock }: ChannelContext<WireConfig>,
): InboundMessage {
  const { addressed, guild, editedAt } = said;
  return {
    ...(addressed === undefined ? {} : { addressed }),
    ...(guild === undefined ? {} : { guild }),
    ...(editedAt === undefined ? {} : { editedAt }),
    id,
    text,
    address: formatAddress({ channel: "wire", account, ...as, kind, chat: chat ?? from }),
    sender: {
      id: from,
      ...(name === undefined ? {} : { displayName: name }),
      ...(isBot === undefined ? {} : { isBot }),
      ...(roles === undefined ? {} : { roles }),
    },
    at: at ?? clock.now(),
  };
}

/** @public The gateway of a grove imports it by its path. */
export default wire;
