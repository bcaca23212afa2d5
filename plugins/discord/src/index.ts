/** Discord as a channel of Banyan: direct messages, channels and threads of servers, over the gateway. */
import { type ChannelPlugin, defineChannelPlugin } from "@banyan/plugin-sdk";
import { type DiscordConfig, discordConfig } from "./discord-config.ts";
import { connectDiscord } from "./discord-connection.ts";
import { inspectDiscord } from "./inspection/inspect-discord.ts";
import { measureMarkdown } from "./markdown/measure-markdown.ts";

const discord: ChannelPlugin<DiscordConfig> = defineChannelPlugin({
  id: "discord",
  apiVersion: 1,
  capabilities: {
    kinds: ["dm", "channel"],
    text: { limit: 2_000, measure: measureMarkdown },
    threads: true,
    buttons: true,
    edits: true,
    delivery: "effectively-once",
    // Of a server that pays nothing ("Uploading Files"); a caption is a message's own text.
    files: { limitBytes: 10 * 1024 * 1024, captionLimit: 2_000 },
  },
  config: discordConfig,
  connect: (context) => connectDiscord(context, Math.random),
  inspect: inspectDiscord,
});

export default discord;
