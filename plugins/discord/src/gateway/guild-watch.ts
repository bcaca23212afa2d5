/** What follows from the gateway's news of guilds, channels and threads: places are known, gaps read, dead threads told. */
import type { ChannelContext, Log } from "@banyan/plugin-sdk";
import type { GatewayDispatchPayload, GatewayReadyDispatchData } from "discord.js";
import { formatPlaceAddress, type MessagePlace } from "../inbound/message-place.ts";
import { parseChannel } from "../places/channel-record.ts";
import type { PlaceDirectory } from "../places/place-directory.ts";
import { buildSnowflake } from "../snowflake.ts";
import { type AccountState, closeGap, DM_GUILD, noteSession, openGap } from "../state/account-state.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import type { GapReader, GuildGap, TakePage } from "./gap-reader.ts";
import { parseGuildCreate, parseGuildDelete, parseThreadList, parseThreadLoss } from "./guild-events.ts";

export interface GuildWatch {
  /** A new session: what was said since the last one is read now for direct chats, and for guilds as they come. */
  begin(shard: number, shards: number, data: GatewayReadyDispatchData): Promise<void>;
  /** The session goes on; what an earlier life had not read yet is read now. */
  resume(): Promise<void>;
  /** Any other dispatch that is neither a message nor an interaction. */
  take(payload: GatewayDispatchPayload): Promise<void>;
}

export interface GuildWatchOptions extends Pick<ChannelContext<unknown>, "account" | "threadGone"> {
  readonly botId: string;
  readonly keeper: StateKeeper;
  readonly directory: PlaceDirectory;
  readonly gap: GapReader;
  readonly log: Log;
  /** Milliseconds since the epoch, by Discord's clock where it is known. */
  readonly now: () => number;
}

export function createGuildWatch(options: GuildWatchOptions): GuildWatch {
  const { account, botId, keeper, directory, gap, log, now } = options;
  const takePage: TakePage = async (messages) => void (messages.length > 0 && (await keeper.store(messages)));

  async function readGuild(one: Omit<GuildGap, "from">): Promise<void> {
    const from = keeper.state.missed[one.guildId];
    if (from === undefined) return;
    await gap.readGuild({ ...one, from }, takePage);
    await keeper.store([], (state) => closeGap(state, one.guildId));
  }

  async function readDms(): Promise<void> {
    const { missed, dms } = keeper.state;
    const from = missed[DM_GUILD];
    if (from === undefined) return;
    await gap.readDms(from, dms, takePage);
    await keeper.store([], (state) => closeGap(state, DM_GUILD));
  }

  async function lose(place: MessagePlace): Promise<void> {
    directory.forget(place.channelId);
    if (place.kind === "thread") await options.threadGone(formatPlaceAddress(account, place));
  }

  async function loseGuild(data: unknown): Promise<void> {
    const news = parseGuildDelete(data);
    if (news === undefined) return;
    const { guildId, isOutage } = news;
    if (isOutage) {
      log.warn({ guildId }, "Discord: a server is out of order; what is written there is read when it is back");
      await keeper.store([], (state) => openGap(state, [guildId]));
    } else {
      log.warn(
        { guildId },
        "Discord: the bot was taken out of a server; nothing can be sent there until it is invited again",
      );
      await keeper.store([], (state) => closeGap(state, guildId));
    }
  }

  async function loseChannel(data: unknown): Promise<void> {
    const record = parseChannel(data);
    if (record === undefined) return;
    for (const thread of directory.listThreads(record.place.channelId)) await lose(thread);
    await lose(record.place);
  }

  return {
    async begin(shard, shards, { session_id: id, resume_gateway_url: url, guilds }) {
      const ids = [...guilds.map((guild) => guild.id), ...(shard === 0 ? [DM_GUILD] : [])];
      const first = (state: AccountState) => (state.at === undefined ? { ...state, at: buildSnowflake(now()) } : state);
      await keeper.store([], (state) => {
        const opened = state.at === undefined ? first(state) : openGap(state, ids);
        return noteSession(opened, shard, { id, url, seq: 1 }, shards);
      });
      if (shard === 0) await readDms();
    },
    async resume() {
      await readDms();
      for (const guildId of Object.keys(keeper.state.missed)) await readGuild({ guildId });
    },
    async take({ t: kind, d: data }) {
      switch (kind) {
        case "GUILD_CREATE": {
          const news = parseGuildCreate(data, botId);
          if (news === undefined) return;
          for (const channel of news.channels) directory.note(channel);
          if (news.botRoleId !== undefined) directory.noteRole(news.botRoleId);
          return readGuild(news);
        }
        case "GUILD_DELETE":
          return loseGuild(data);
        case "CHANNEL_CREATE":
        case "CHANNEL_UPDATE":
        case "THREAD_CREATE":
        case "THREAD_UPDATE": {
          const record = parseChannel(data);
          return record && directory.note(record);
        }
        case "CHANNEL_DELETE":
        case "THREAD_DELETE":
          return loseChannel(data);
        case "THREAD_LIST_SYNC":
          return parseThreadList(data).forEach(directory.note);
        case "THREAD_MEMBERS_UPDATE": {
          const threadId = parseThreadLoss(data, botId);
          const { guild_id: guildId } = data;
          return threadId === undefined ? undefined : lose(await directory.find(threadId, guildId));
        }
        default:
          return undefined;
      }
    },
  };
}
