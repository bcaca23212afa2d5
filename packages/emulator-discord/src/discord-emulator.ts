import { PATIENCE_MS } from "@banyan/emulator-kit";
import { addBot, type BotChange, type BotState, readBot, revokeBot, setBot } from "./control/bot-operations.ts";
import { readChannel } from "./control/channel-operations.ts";
import { isThread } from "./control/channel-state.ts";
import { addUser, type ChatFilter, type ChatHistory, readChats } from "./control/chat-operations.ts";
import { createGuild, type GuildState, readGuilds } from "./control/guild-operations.ts";
import { type Line, say } from "./control/line-operations.ts";
import type { Control } from "./control/operation.ts";
import { awaitCalls, passTime, readCounts, readRecord } from "./control/record-operations.ts";
import { DiscordChannel } from "./discord-channel.ts";
import { DiscordGuild } from "./discord-guild.ts";
import { DiscordThread } from "./discord-thread.ts";
import { DiscordUser } from "./discord-user.ts";
import { FaultControl } from "./fault-control.ts";
import { GatewayControl } from "./gateway-control.ts";
import { EmulatorError } from "./ports/error.ts";
import type { CallCount, CallFilter, CallRecord } from "./records/call-record.ts";
import type { BotSpec } from "./world/bot.ts";
import type { UserSpec } from "./world/user.ts";

/** Somebody by id; what addBot and user() give can be passed as it is. */
export interface Account {
  readonly id: string;
}

/** How a test describes a guild. */
export interface NewGuild {
  readonly name: string;
  /** May do everything; if left out the first member, or a stranger where there is none. */
  readonly owner?: Account;
  readonly members?: readonly Account[];
  readonly bots?: readonly Account[];
}

export interface EmulatorConnection {
  /** As discord.js' `rest.api`: without a version. The gateway's address is what GET /gateway/bot says. */
  readonly url: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** An emulated Discord, as a test or a bench holds it; the same for one in this process and one in another. */
export class DiscordEmulator {
  readonly url: string;
  readonly faults: FaultControl;
  readonly gateway: GatewayControl;
  readonly #connection: EmulatorConnection;
  readonly #users = new Map<string, DiscordUser>();

  /** By createDiscordEmulator, connectDiscordEmulator or spawnDiscordEmulator. */
  constructor(connection: EmulatorConnection) {
    this.url = connection.url;
    this.faults = new FaultControl(connection.control);
    this.gateway = new GatewayControl(connection.control);
    this.#connection = connection;
  }

  get #control(): Control {
    return this.#connection.control;
  }

  addBot(spec: BotSpec): Promise<BotState> {
    return this.#control.call(addBot, spec);
  }

  /** The state of a bot; the id may be left out where there is only one. */
  bot(botId?: string): Promise<BotState> {
    return this.#control.call(readBot, botId === undefined ? {} : { botId });
  }

  /** From now on its token is nobody's: 401, and close 4004 (D15, D41). */
  revokeBot(botId?: string): Promise<void> {
    return this.#control.call(revokeBot, botId === undefined ? {} : { botId });
  }

  /** Switches privileged intents as the developer portal does, or names an address for interactions. */
  setBot(change: BotChange): Promise<void> {
    return this.#control.call(setBot, change);
  }

  /** A person; asked again with the same id, the same object. */
  async user(spec: UserSpec): Promise<DiscordUser> {
    const known = this.#users.get(spec.id);
    if (known !== undefined) return known;
    const user = new DiscordUser(this.#control, spec);
    this.#users.set(spec.id, user);
    await this.#control.call(addUser, spec);
    return user;
  }

  /** A bot that writes as people do, without a program of its own (D53). */
  writer({ id, username }: Pick<BotState, "id" | "username">): DiscordUser {
    return new DiscordUser(this.#control, { id, username });
  }

  /** Many lines in one go, for a bench; resolves with the message ids in the same order. See DiscordChat.line. */
  sayAll(lines: readonly Line[]): Promise<readonly string[]> {
    return this.#control.call(say, lines);
  }

  async createGuild({ name, owner, members = [], bots = [] }: NewGuild): Promise<DiscordGuild> {
    const ownerId = owner?.id ?? members[0]?.id;
    const ids = { memberIds: members.map(({ id }) => id), botIds: bots.map(({ id }) => id) };
    const spec = { name, ...ids, ...(ownerId !== undefined && { ownerId }) };
    return new DiscordGuild(this.#control, await this.#control.call(createGuild, spec));
  }

  /** A guild that exists, for somebody who did not create it. */
  async guild(guildId: string): Promise<DiscordGuild> {
    const [state] = await this.#control.call(readGuilds, { guildId });
    if (state === undefined) throw new EmulatorError("unknown_guild", `finding guild ${guildId}: there is none`);
    return new DiscordGuild(this.#control, state);
  }

  /** A channel of a guild that exists. */
  async channel(channelId: string): Promise<DiscordChannel> {
    const state = await this.#control.call(readChannel, { channelId });
    if (!isThread(state) && state.kind !== "dm") return new DiscordChannel(this.#control, state);
    throw new EmulatorError("unknown_channel", `finding channel ${channelId}: it is a ${state.kind}`);
  }

  /** A thread that exists. */
  async thread(threadId: string): Promise<DiscordThread> {
    const state = await this.#control.call(readChannel, { channelId: threadId });
    if (isThread(state)) return new DiscordThread(this.#control, state);
    throw new EmulatorError("unknown_channel", `finding thread ${threadId}: it is a ${state.kind}`);
  }

  guilds(): Promise<readonly GuildState[]> {
    return this.#control.call(readGuilds, {});
  }

  /** Every channel, thread and DM with all versions of all messages, deleted ones too. */
  chats(filter: ChatFilter = {}): Promise<readonly ChatHistory[]> {
    return this.#control.call(readChats, filter);
  }

  /** Puts the emulator's clock forward, which runs on by itself all the same. */
  passTime(ms: number): Promise<void> {
    return this.#control.call(passTime, { ms });
  }

  /** The REST calls in the order they came; rejects in the mode "counts". */
  record(filter: CallFilter = {}): Promise<readonly CallRecord[]> {
    return this.#control.call(readRecord, filter);
  }

  /** Numbers of calls by route, in both modes. */
  counts(): Promise<Readonly<Record<string, CallCount>>> {
    return this.#control.call(readCounts, {});
  }

  /** Resolves when `count` calls of the route have been accepted since the start. */
  async called(route: string, count: number = 1, timeoutMs: number = PATIENCE_MS): Promise<void> {
    const accepted = await this.#control.call(awaitCalls, { route, count, timeoutMs });
    if (accepted >= count) return;
    const text = `waiting ${timeoutMs} ms for ${count} calls of ${route}: ${accepted} came`;
    throw new EmulatorError("not_called", text);
  }

  /** Ends an emulator of this process or one that was spawned; only lets go of one that was connected to. */
  close(): Promise<void> {
    return this.#connection.close();
  }
}
