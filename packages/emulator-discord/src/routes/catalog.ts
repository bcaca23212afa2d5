import type { Route } from "../rest/call.ts";
import { channelRoutes } from "./channel.ts";
import { commandRoutes } from "./command.ts";
import { createThreadRoutes } from "./create-thread.ts";
import { guildRoutes } from "./guild.ts";
import { interactionRoutes } from "./interaction.ts";
import { messageRoutes } from "./message.ts";
import { reactionRoutes } from "./reaction.ts";
import { threadMemberRoutes } from "./thread-member.ts";
import { userRoutes } from "./user.ts";
import { webhookRoutes } from "./webhook.ts";

/** Every route the emulator has. */
export const ROUTES: readonly Route[] = [
  ...channelRoutes,
  ...commandRoutes,
  ...createThreadRoutes,
  ...guildRoutes,
  ...interactionRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...threadMemberRoutes,
  ...userRoutes,
  ...webhookRoutes,
];
