/** A person asks a bot for something: the payload of the interaction, and how it reaches the bot. */
import { randomBytes, sign } from "node:crypto";
import { type APIMessage, ChannelType } from "discord-api-types/v10";
import { buildChannel } from "../wire/channel-wire.ts";
import { buildMember } from "../wire/member-wire.ts";
import type { Bot } from "../world/bot.ts";
import type { Channel } from "../world/channel.ts";
import { Interaction } from "../world/interaction.ts";
import type { World } from "../world/world.ts";
import { tellBot } from "./audience.ts";

export interface NewInteraction {
  readonly bot: Bot;
  readonly userId: string;
  readonly channel: Channel;
  /** 2 command · 3 component · 4 autocomplete. */
  readonly type: 2 | 3 | 4;
  readonly data: object;
  /** The message with the component. */
  readonly message?: APIMessage;
}

export interface BegunInteraction {
  readonly interaction: Interaction;
  readonly payload: object;
}

export function beginInteraction(world: World, init: NewInteraction): BegunInteraction {
  const { bot, userId, channel, type, message } = init;
  const interaction = new Interaction({
    id: world.nextId(),
    token: randomBytes(48).toString("base64url"),
    type,
    botId: bot.id,
    userId,
    channelId: channel.id,
    createdAtMs: world.clock.nowMs(),
    log: world.createLog(),
    ...(message !== undefined && { sourceId: message.id }),
  });
  world.interactions.add(interaction);
  return { interaction, payload: buildPayload(world, init, interaction) };
}

/** Over the gateway, unless the application has an address for interactions. */
export function dispatchInteraction(world: World, bot: Bot, payload: object): void {
  tellBot(world, bot, { type: "INTERACTION_CREATE", data: payload, intent: 0 });
}

/** The headers and the body of an interaction over HTTP, signed as Discord signs it (Interactions, "Security"). */
export function buildSignedRequest(bot: Bot, payload: object, nowMs: number): RequestInit & { readonly body: string } {
  const body = JSON.stringify(payload);
  const timestamp = String(Math.trunc(nowMs / 1000));
  const signature = sign(null, Buffer.from(timestamp + body), bot.privateKey).toString("hex");
  return {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "Discord-Interactions/1.0 (+https://discord.com)",
      "x-signature-ed25519": signature,
      "x-signature-timestamp": timestamp,
    },
  };
}

function buildPayload(world: World, init: NewInteraction, { id, token }: Interaction): object {
  const { bot, userId, channel, type, data, message } = init;
  const guild = world.guilds.get(channel.guildId ?? "");
  const user = world.getPerson(userId).profile;
  const member = guild?.members.get(userId);
  const built = member && buildMember(world, member);
  const permissions = world.readPermissions(userId, channel).toString();
  return {
    id,
    application_id: bot.id,
    type,
    token,
    version: 1,
    data,
    ...(guild === undefined
      ? { user, context: 1 }
      : {
          guild_id: guild.id,
          guild: { id: guild.id, locale: "en-US", features: [] },
          guild_locale: "en-US",
          member: built && { ...built, permissions },
          context: 0,
        }),
    channel_id: channel.id,
    channel: channel.type === ChannelType.DM ? { ...buildChannel(world, channel) } : buildPlace(world, channel, userId),
    ...(message !== undefined && { message }),
    app_permissions: world.readPermissions(bot.id, channel).toString(),
    locale: "en-US",
    entitlements: [],
    entitlement_sku_ids: [],
    authorizing_integration_owners: { 0: guild?.id ?? "0" },
    attachment_size_limit: 10 * 1024 * 1024,
  };
}

function buildPlace(world: World, channel: Channel, userId: string): object {
  return { ...buildChannel(world, channel), permissions: world.readPermissions(userId, channel).toString() };
}
