/** A chat over HTTP for who holds the server's token: the browser page, the terminal, and scripts. */
import { randomUUID } from "node:crypto";
import { type ChannelPlugin, defineChannelPlugin } from "@banyan/plugin-sdk";
import { z } from "zod";
import { connectWebchat } from "./webchat-connection.ts";

const TEXT_LIMIT_CHARS = 1_000_000;

const webchat: ChannelPlugin<Record<string, never>> = defineChannelPlugin({
  id: "webchat",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm"],
    text: { limit: TEXT_LIMIT_CHARS, measure: (source) => source.length },
    threads: false,
    edits: false,
    // Readers know every message by its delivery's id, and history gives it under the same one.
    delivery: "effectively-once",
    isOperatorOnly: true,
  },
  config: z.strictObject({}),
  connect: (context) => connectWebchat(context, randomUUID),
});

export default webchat;
