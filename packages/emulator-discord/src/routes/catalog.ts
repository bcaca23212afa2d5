import type { Route } from "../rest/call.ts";
import { channelRoutes } from "./channel.ts";
import { createThreadRoutes } from "./create-thread.ts";
import { messageRoutes } from "./message.ts";
import { reactionRoutes } from "./reaction.ts";
import { userRoutes } from "./user.ts";

/** Every route the emulator has. */
export const ROUTES: readonly Route[] = [
  ...channelRoutes,
  ...createThreadRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...userRoutes,
];
