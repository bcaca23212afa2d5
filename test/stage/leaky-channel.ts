/**
 * A stranger's channel that keeps no secret to itself: its password stands in its logs, its errors and their causes, in
 * the URLs it calls and in errors that nobody catches. Tests copy this file into the folder of a grove.
 */
import { ChannelError, type ChannelPlugin, defineChannelPlugin, formatAddress } from "@banyan/plugin-sdk";
import { z } from "zod";

const Config: z.ZodType<LeakyConfig> = z.strictObject({
  password: z.string(),
  mood: z.enum(["talks", "connects-in-vain", "throws-later", "rejects-later"]).default("talks"),
});

export interface LeakyConfig {
  readonly password: string;
  readonly mood: "talks" | "connects-in-vain" | "throws-later" | "rejects-later";
}

const leaky: ChannelPlugin<LeakyConfig> = defineChannelPlugin({
  id: "leaky",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm"],
    text: { limit: 4_000, measure: (text) => text.length },
    threads: false,
    edits: false,
    delivery: "at-least-once",
  },
  config: Config,
  async connect({ config, account, log, http, receive, clock, report }) {
    const { password, mood } = config;
    const url = `https://leaky.example/bot${password}/send?key=${encodeURIComponent(password)}`;
    const cause = new Error(`GET ${url} failed`);
    for (const level of ["debug", "info", "warn", "error"] as const) log[level]({ url, err: cause }, `calling ${url}`);
    if (mood === "connects-in-vain") throw new ChannelError("definite", `Connecting to ${url} failed`, { cause });
    if (mood === "throws-later")
      setImmediate(() => {
        throw new Error(`Nobody catches ${url}`, { cause });
      });
    if (mood === "rejects-later") void Promise.reject(new Error(`Nobody awaits ${url}`, { cause }));
    http.mount(
      "/leaky",
      async (request) => {
        if (new URL(request.url).pathname === "/leaky/fail") throw new Error(`Serving ${url} failed`, { cause });
        report("retrying", new ChannelError("definite", `Polling ${url} failed`, { cause }));
        const address = formatAddress({ channel: "leaky", account, kind: "dm", chat: "1" });
        const sender = { id: "1", displayName: `Eve ${password}` };
        return Response.json(
          await receive([{ id: "m1", address, sender, text: `I know ${password}`, at: clock.now() }]),
        );
      },
      { access: "open" },
    );
    return {
      send: async () => {
        throw new ChannelError("permanent", `Sending to ${url} failed`, { cause });
      },
      close: async () => {
        throw new Error(`Closing ${url} failed`, { cause });
      },
    };
  },
});

/** @public The gateway of a grove imports it by its path. */
export default leaky;
