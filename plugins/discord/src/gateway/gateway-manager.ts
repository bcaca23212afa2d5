import { WebSocketManager } from "@discordjs/ws";
import type { APIGatewayBotInfo } from "discord.js";

/**
 * The library's connections, which begin whatever is left of the day's sessions: one that is resumed takes none of them,
 * and before a new one the identify throttle asks and waits.
 */
export class GatewayManager extends WebSocketManager {
  override async fetchGatewayInformation(force?: boolean): Promise<APIGatewayBotInfo> {
    const { session_start_limit: limit, ...info } = await super.fetchGatewayInformation(force);
    return { ...info, session_start_limit: { ...limit, remaining: Math.max(limit.remaining, info.shards) } };
  }
}
