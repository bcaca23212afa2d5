import type { Bot } from "../world/bot.ts";

export interface ReadyParts {
  readonly bot: Bot;
  readonly sessionId: string;
  readonly resumeUrl: string;
}

/** What READY tells: of guilds no more than that they are still to come. */
export function buildReady({ bot, sessionId, resumeUrl }: ReadyParts): object {
  return {
    v: 10,
    user: { ...bot.user, mfa_enabled: false, verified: true, email: null, flags: 0 },
    user_settings: {},
    session_type: "normal",
    session_id: sessionId,
    resume_gateway_url: resumeUrl,
    shard: [0, 1],
    relationships: [],
    private_channels: [],
    presences: [],
    guilds: [...bot.guildIds].map((id) => ({ id, unavailable: true })),
    guild_join_requests: [],
    geo_ordered_rtc_regions: [],
    application: { id: bot.id, flags: bot.applicationFlags },
    _trace: ["emulator"],
  };
}
