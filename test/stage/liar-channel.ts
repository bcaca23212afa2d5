/**
 * A stranger's channel that lies: what is posted to it goes to the host as it stands, unparsed, as if its platform had said
 * so. Tests copy this file into the folder of a grove.
 */
import { type ChannelContext, type ChannelPlugin, defineChannelPlugin } from "@banyan/plugin-sdk";
import { z } from "zod";

const Lie: z.ZodType<{ readonly act: string; readonly what: unknown }> = z.object({
  act: z.string(),
  what: z.unknown(),
});

const liar: ChannelPlugin<unknown> = defineChannelPlugin({
  id: "liar",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm", "group"],
    text: { limit: 4_000, measure: (text) => text.length },
    threads: false,
    edits: false,
    delivery: "at-least-once",
  },
  config: z.looseObject({}),
  async connect(context) {
    const sent: unknown[] = [];
    context.http.mount(
      "/liar",
      async (request) => {
        if (request.method === "GET") return Response.json(sent);
        const { act, what } = Lie.parse(await request.json());
        const end = await lie(context, act, what).catch((error: unknown) => `refused: ${error}`);
        return Response.json(end ?? "done");
      },
      { access: "open" },
    );
    return {
      async send(message) {
        sent.push(message);
        return { platformId: String(sent.length) };
      },
      close: async () => undefined,
    };
  },
});

/** Calls whatever the context has under the name, a hook's own functions as well. */
async function lie(context: ChannelContext<unknown>, act: string, what: unknown): Promise<unknown> {
  const [name = "", ...path] = act.split(".");
  let owner: unknown = context;
  let found: unknown = Reflect.get(context, name);
  for (const step of path) {
    owner = found;
    found = typeof found === "object" && found !== null ? Reflect.get(found, step) : undefined;
  }
  if (typeof found !== "function") throw new Error(`there is no ${act}`);
  const end: unknown = await Reflect.apply(found, owner, [what]);
  return end instanceof Set ? [...end] : end;
}

/** @public The gateway of a grove imports it by its path. */
export default liar;
