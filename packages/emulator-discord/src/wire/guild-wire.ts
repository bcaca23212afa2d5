import type { Bot } from "../world/bot.ts";
import type { Guild } from "../world/guild.ts";
import type { World } from "../world/world.ts";
import { buildChannel, buildThreadFor } from "./channel-wire.ts";
import { buildMember, buildRole } from "./member-wire.ts";

/** A guild of the API; what the emulator does not have is as in a new one. */
export function buildGuild(guild: Guild): Readonly<Record<string, unknown>> {
  return {
    id: guild.id,
    name: guild.name,
    icon: null,
    splash: null,
    discovery_splash: null,
    owner_id: guild.ownerId,
    region: "deprecated",
    afk_channel_id: null,
    afk_timeout: 300,
    verification_level: 0,
    default_message_notifications: 0,
    explicit_content_filter: 0,
    roles: [...guild.roles.values()].map(buildRole),
    emojis: [],
    stickers: [],
    features: [],
    mfa_level: 0,
    application_id: null,
    system_channel_id: null,
    system_channel_flags: 0,
    rules_channel_id: null,
    max_presences: null,
    max_members: 500_000,
    max_stage_video_channel_users: 50,
    max_video_channel_users: 25,
    vanity_url_code: null,
    description: null,
    banner: null,
    home_header: null,
    premium_tier: 0,
    premium_subscription_count: 0,
    preferred_locale: "en-US",
    public_updates_channel_id: null,
    safety_alerts_channel_id: null,
    nsfw: false,
    nsfw_level: 0,
    premium_progress_bar_enabled: false,
    incidents_data: null,
    widget_enabled: false,
    widget_channel_id: null,
  };
}

/** What GUILD_CREATE tells a bot: channels and active threads that it may see, and of the members only itself. */
export function buildGuildCreate(world: World, guild: Guild, bot: Bot): Readonly<Record<string, unknown>> {
  const visible = [...guild.channels.values()].filter((channel) => !channel.isDeleted && world.canSee(bot.id, channel));
  const own = guild.members.get(bot.id);
  return {
    ...buildGuild(guild),
    joined_at: new Date(own?.joinedAtMs ?? 0).toISOString(),
    large: false,
    unavailable: false,
    member_count: guild.members.size,
    members: own === undefined ? [] : [buildMember(world, own)],
    presences: [],
    voice_states: [],
    stage_instances: [],
    guild_scheduled_events: [],
    soundboard_sounds: [],
    channels: visible.filter(({ thread }) => thread === undefined).map((channel) => buildChannel(world, channel)),
    threads: visible
      .map((channel) => channel.thread?.isArchived === false && buildThreadFor(channel, channel.thread, bot.id))
      .filter((thread) => thread !== false),
  };
}
