import { type Clock, createSignal, type Signal } from "@banyan/emulator-kit";
import { type APIUser, ChannelType, PermissionFlagsBits } from "discord-api-types/v10";
import { GatewayTrouble } from "../gateway/gateway-trouble.ts";
import { EmulatorError } from "../ports/error.ts";
import { createSnowflakes } from "../ports/snowflake.ts";
import { BotDirectory } from "./bot-directory.ts";
import { Channel, type ChannelInit } from "./channel.ts";
import type { Guild } from "./guild.ts";
import { InteractionBook } from "./interaction.ts";
import { MessageLog } from "./message-log.ts";
import { NonceBook } from "./nonce-book.ts";
import { buildPerson, type Person, type UserSpec } from "./user.ts";
import { WebhookBook } from "./webhook.ts";

export interface WorldOptions {
  readonly clock: Clock;
  /** Real time, for how long a test waits. */
  readonly patience: Clock;
  readonly isExact: boolean;
  /** Whether limits on numbers and pace hold. */
  readonly limits: "off" | "real";
  /** Whether a message shows its nonce for ever. */
  readonly keepsNonces: boolean;
  readonly hasChannelNonces: boolean;
  readonly onSent?: SentListener | undefined;
}

/** Called for each message that a bot sends, at once; must be cheap and not throw. */
export type SentListener = (sent: { readonly channelId: string; readonly text: string }) => void;

/** Everything the emulated Discord knows. */
export class World {
  readonly clock: Clock;
  readonly isExact: boolean;
  readonly limits: "off" | "real";
  readonly keepsNonces: boolean;
  readonly hasChannelNonces: boolean;
  readonly onSent: SentListener | undefined;
  readonly nextId: () => string;
  readonly bots: BotDirectory;
  readonly trouble: GatewayTrouble = new GatewayTrouble();
  readonly nonces: NonceBook = new NonceBook();
  readonly interactions: InteractionBook = new InteractionBook();
  readonly webhooks: WebhookBook = new WebhookBook();
  readonly guilds: Map<string, Guild> = new Map();
  /** Fires when a bot's connection comes or goes, a command is registered or an interaction is answered. */
  readonly changed: Signal;
  readonly #channels = new Map<string, Channel>();
  /** Known when the server listens. */
  gatewayUrl: string = "";
  readonly #people = new Map<string, Person>();
  readonly #patience: Clock;

  constructor({ clock, patience, isExact, limits, keepsNonces, hasChannelNonces, onSent }: WorldOptions) {
    this.onSent = onSent;
    this.keepsNonces = keepsNonces;
    this.hasChannelNonces = hasChannelNonces;
    this.clock = clock;
    this.limits = limits;
    this.isExact = isExact;
    this.#patience = patience;
    this.nextId = createSnowflakes(clock);
    this.bots = new BotDirectory(this.nextId);
    this.changed = createSignal(patience);
  }

  addPerson(spec: UserSpec): void {
    if (this.bots.find(spec.id) !== undefined) {
      throw new EmulatorError("invalid_request", `adding user ${spec.id}: a bot has that id`);
    }
    const person = buildPerson(spec);
    this.#people.set(spec.id, { ...person, takesDms: this.#people.get(spec.id)?.takesDms ?? true });
  }

  findPerson(userId: string): Person | undefined {
    return this.#people.get(userId);
  }

  getPerson(userId: string): Person {
    const person = this.#people.get(userId);
    if (person !== undefined) return person;
    throw new EmulatorError("unknown_user", `finding user ${userId}: add it with emulator.user() first`);
  }

  /** A person or a bot. */
  findUser(userId: string): APIUser | undefined {
    return this.#people.get(userId)?.profile ?? this.bots.find(userId)?.user;
  }

  addChannel(init: Omit<ChannelInit, "log">): Channel {
    const channel = new Channel({ ...init, log: this.createLog() });
    this.#channels.set(channel.id, channel);
    if (init.guildId !== undefined) this.getGuild(init.guildId).channels.set(channel.id, channel);
    return channel;
  }

  createLog(): MessageLog {
    return new MessageLog(createSignal(this.#patience), this.isExact);
  }

  /** Undefined also for a channel that was deleted. */
  findChannel(channelId: string): Channel | undefined {
    const channel = this.#channels.get(channelId);
    return channel?.isDeleted === true ? undefined : channel;
  }

  getChannel(channelId: string): Channel {
    const channel = this.#channels.get(channelId);
    if (channel !== undefined) return channel;
    throw new EmulatorError("unknown_channel", `finding channel ${channelId}: there is none`);
  }

  /** Deleted ones too. */
  allChannels(): Channel[] {
    return [...this.#channels.values()];
  }

  getGuild(guildId: string): Guild {
    const guild = this.guilds.get(guildId);
    if (guild !== undefined) return guild;
    throw new EmulatorError("unknown_guild", `finding guild ${guildId}: there is none`);
  }

  /** The DM of a bot and a person, opened where there is none yet. */
  openDm(botId: string, userId: string): Channel {
    const { dmIds } = this.bots.get(botId);
    const known = dmIds.get(userId);
    if (known !== undefined) return this.getChannel(known);
    const channel = this.addChannel({ id: this.nextId(), type: ChannelType.DM, name: "", dm: { botId, userId } });
    dmIds.set(userId, channel.id);
    return channel;
  }

  /** What a user may do in a channel: everything in its own DM, nothing where it is not. */
  readPermissions(userId: string, channel: Channel): bigint {
    if (channel.dm !== undefined) {
      return channel.dm.botId === userId || channel.dm.userId === userId ? DM_PERMISSIONS : 0n;
    }
    const guild = this.guilds.get(channel.guildId ?? "");
    return guild?.findPermissions(userId, channel) ?? 0n;
  }

  /** Whether the channel is there for the user; a private thread is for its members and moderators. */
  canSee(userId: string, channel: Channel): boolean {
    const permissions = this.readPermissions(userId, channel);
    if ((permissions & PermissionFlagsBits.ViewChannel) === 0n) return false;
    if (channel.type !== ChannelType.PrivateThread || channel.thread?.memberIds.has(userId) === true) return true;
    return (permissions & PermissionFlagsBits.ManageThreads) !== 0n;
  }
}

const DM_PERMISSIONS =
  PermissionFlagsBits.ViewChannel |
  PermissionFlagsBits.SendMessages |
  PermissionFlagsBits.ReadMessageHistory |
  PermissionFlagsBits.EmbedLinks |
  PermissionFlagsBits.AttachFiles |
  PermissionFlagsBits.AddReactions;
