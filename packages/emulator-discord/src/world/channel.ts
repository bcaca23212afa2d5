import { ChannelType, type ThreadAutoArchiveDuration } from "discord-api-types/v10";
import type { MessageLog } from "./message-log.ts";
import type { Overwrite } from "./permission.ts";

/** A limit that holds in each channel for itself. */
export interface ChannelLimit {
  readonly limit: number;
  readonly windowMs: number;
}

export interface ForumTag {
  readonly id: string;
  readonly name: string;
  readonly isModerated: boolean;
}

/** What a thread has beyond a channel. */
export interface ThreadState {
  readonly ownerId: string;
  readonly createdAtMs: number;
  isArchived: boolean;
  isLocked: boolean;
  isInvitable: boolean;
  autoArchiveMin: ThreadAutoArchiveDuration;
  archiveChangedAtMs: number;
  appliedTagIds: readonly string[];
  messageCount: number;
  totalMessageCount: number;
  /** When each member joined, by user id. */
  readonly memberIds: Map<string, number>;
}

export interface ChannelInit {
  readonly id: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly log: MessageLog;
  readonly guildId?: string;
  readonly parentId?: string;
  readonly position?: number;
  readonly thread?: ThreadState;
  /** Who share a DM: one bot and one person. */
  readonly dm?: { readonly botId: string; readonly userId: string };
}

/** Any place where messages can be, or a category or a forum; a thread is one with `thread`. */
export class Channel {
  readonly id: string;
  readonly type: ChannelType;
  readonly guildId: string | undefined;
  readonly log: MessageLog;
  readonly position: number;
  readonly thread: ThreadState | undefined;
  readonly dm: { readonly botId: string; readonly userId: string } | undefined;
  readonly overwrites: Map<string, Overwrite> = new Map();
  /** Who reacted, by message id and emoji. */
  readonly reactions: Map<string, Map<string, Set<string>>> = new Map();
  /** When each sender last wrote where slowmode is on. */
  readonly lastWroteMs: Map<string, number> = new Map();
  parentId: string | undefined;
  name: string;
  topic: string | null = null;
  slowmodeS = 0;
  tags: readonly ForumTag[] = [];
  requiresTag = false;
  lastMessageId: string | null = null;
  isDeleted = false;
  readonly #windows = new Map<string, { readonly startMs: number; readonly count: number }>();

  constructor(init: ChannelInit) {
    this.id = init.id;
    this.type = init.type;
    this.name = init.name;
    this.log = init.log;
    this.guildId = init.guildId;
    this.parentId = init.parentId;
    this.position = init.position ?? 0;
    this.thread = init.thread;
    this.dm = init.dm;
  }

  /** Counts something that is limited here; above the limit in the window the time to wait for, else 0. */
  countWithin(what: string, nowMs: number, { limit, windowMs }: ChannelLimit): number {
    const known = this.#windows.get(what);
    const window = known === undefined || nowMs - known.startMs >= windowMs ? { startMs: nowMs, count: 0 } : known;
    this.#windows.set(what, { ...window, count: window.count + 1 });
    return window.count < limit ? 0 : window.startMs + windowMs - nowMs;
  }

  /** Whether posts in it are threads and nothing else (D28). */
  get isForum(): boolean {
    return this.type === ChannelType.GuildForum || this.type === ChannelType.GuildMedia;
  }

  get holdsMessages(): boolean {
    return !this.isForum && this.type !== ChannelType.GuildCategory;
  }
}
