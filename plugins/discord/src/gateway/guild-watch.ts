/** What follows from the gateway's news of guilds, channels and threads: places are known, gaps read, dead threads told. */
import type { ChannelContext, Log } from "@banyan/plugin-sdk";
import type { GatewayDispatchPayload, GatewayReadyDispatchData } from "discord.js";
import { formatPlaceAddress, type MessagePlace } from "../inbound/message-place.ts";
import { parseChannel } from "../places/channel-record.ts";
import type { PlaceDirectory } from "../places/place-directory.ts";
import { closeGap, countShards, DM_GUILD, noteSession, openGap } from "../state/account-state.ts";
import type { StateKeeper } from "../state/state-keeper.ts";
import type { ThreadFates } from "../threads/thread-fates.ts";
import { formatThreadNotice } from "../threads/thread-notice.ts";
import { DELETED } from "../threads/thread-release.ts";
import type { GapReader, GapStart, TakePage } from "./gap-reader.ts";
import {
  type GuildNews,
  listGuildIds,
  parseGuildCreate,
  parseGuildDelete,
  parseThreadList,
  parseThreadLoss,
} from "./guild-events.ts";

export interface GuildWatchOptions extends Pick<ChannelContext<unknown>, "account" | "threadGone"> {
  readonly botId: string;
  readonly keeper: StateKeeper;
  readonly directory: PlaceDirectory;
  readonly gap: GapReader;
  readonly fates: ThreadFates;
  readonly log: Log;
}

export class GuildWatch {
  readonly #options: GuildWatchOptions;
  readonly #takePage: TakePage;

  constructor(options: GuildWatchOptions) {
    this.#options = options;
    this.#takePage = async (messages) => {
      if (messages.length > 0) await options.keeper.store(messages);
    };
  }

  /** A new session: what was said since the last one is read now for direct chats, and for guilds as they come. */
  async begin(shard: number, shards: number, data: GatewayReadyDispatchData): Promise<void> {
    const { session_id: id, resume_gateway_url: url } = data;
    const missed = [...listGuildIds(data), ...(shard === 0 ? [DM_GUILD] : [])];
    await this.#options.keeper.store([], (state) =>
      noteSession(openGap(countShards(state, shards), missed, shard), shard, { id, url, seq: 1 }, shards),
    );
    if (shard === 0) await this.#readDms();
  }

  /**
   * The session goes on; direct chats that an earlier life had not read yet are read now. Of a server that was not read
   * GUILD_CREATE comes again, or comes when the server is in order again: before that Discord may deny that it is there.
   */
  async resume(): Promise<void> {
    await this.#readDms();
  }

  /** Any other dispatch that is neither a message nor an interaction. */
  async take({ t: kind, d: data }: GatewayDispatchPayload): Promise<void> {
    const { botId, directory, fates } = this.#options;
    switch (kind) {
      case "GUILD_CREATE":
        return this.#meetGuild(data);
      case "GUILD_DELETE":
        return this.#loseGuild(data);
      case "CHANNEL_CREATE":
      case "CHANNEL_UPDATE":
      case "THREAD_CREATE":
      case "THREAD_UPDATE": {
        const record = parseChannel(data);
        if (record === undefined) return;
        fates.noteChanged(record.place.channelId);
        return directory.note(record);
      }
      case "GUILD_ROLE_UPDATE":
      case "GUILD_MEMBER_UPDATE":
        return fates.noteRights();
      case "CHANNEL_DELETE":
      case "THREAD_DELETE":
        return this.#loseChannel(data);
      case "THREAD_LIST_SYNC":
        return parseThreadList(data).forEach(directory.note);
      case "THREAD_MEMBERS_UPDATE": {
        const threadId = parseThreadLoss(data, botId);
        return threadId === undefined ? undefined : this.#lose(await directory.find(threadId, data.guild_id));
      }
      default:
        return undefined;
    }
  }

  async #readGuild({ guildId, channels }: GuildNews): Promise<void> {
    const { keeper, gap: reader } = this.#options;
    const from = keeper.state.missed[guildId];
    if (from === undefined) return;
    await reader.readGuild({ channels, ...this.#since(from) }, this.#takePage);
    await keeper.store([], (state) => closeGap(state, guildId));
  }

  async #readDms(): Promise<void> {
    const { keeper, gap } = this.#options;
    const { missed, dms } = keeper.state;
    const from = missed[DM_GUILD];
    if (from === undefined) return;
    await gap.readDms({ ...this.#since(from), dms }, this.#takePage);
    await keeper.store([], (state) => closeGap(state, DM_GUILD));
  }

  #since(from: string): GapStart {
    const { since } = this.#options.keeper.state;
    return { from, ...(since !== undefined && { since }) };
  }

  async #meetGuild(data: unknown): Promise<void> {
    const { directory, botId, fates } = this.#options;
    const news = parseGuildCreate(data, botId);
    if (news === undefined) return;
    fates.noteGuild();
    for (const channel of news.channels) directory.note(channel);
    if (news.botRoleId !== undefined) directory.noteRole(news.botRoleId);
    await this.#readGuild(news);
  }

  async #loseGuild(data: unknown): Promise<void> {
    const { keeper, log } = this.#options;
    const news = parseGuildDelete(data);
    if (news === undefined) return;
    const { guildId, isOutage } = news;
    if (isOutage)
      log.warn({ guildId }, "Discord: a server is out of order; what is written there is read when it is back");
    else log.warn({ guildId }, "Discord: the bot was taken out of a server; invite it again to have it answer there");
    await keeper.store([], (state) => (isOutage ? openGap(state, [guildId]) : closeGap(state, guildId)));
    if (!isOutage) for (const place of this.#options.directory.listGuild(guildId)) await this.#lose(place);
  }

  async #loseChannel(data: unknown): Promise<void> {
    const record = parseChannel(data);
    if (record === undefined) return;
    if (record.place.kind === "thread") this.#options.fates.noteDeleted(record.place.channelId, record.type);
    for (const thread of this.#options.directory.listThreads(record.place.channelId)) await this.#lose(thread);
    await this.#lose(record.place);
  }

  async #lose(place: MessagePlace): Promise<void> {
    const { account, directory, fates, threadGone } = this.#options;
    directory.forget(place.channelId);
    fates.noteChanged(place.channelId);
    if (place.kind !== "thread") return;
    const address = formatPlaceAddress(account, place);
    const { channelId: threadId, parentId } = place;
    if (!directory.isForum(parentId)) return threadGone(address);
    // What is due there will have no place, and by then nobody knows any more who asked for it.
    const notice = formatThreadNotice({ threadId, parentId, row: DELETED, lacking: [], due: "has no place" });
    await threadGone(address, notice, "requester");
  }
}
