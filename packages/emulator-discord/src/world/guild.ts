import type { Channel } from "./channel.ts";
import { computePermissions, type Overwrite, type Role } from "./permission.ts";

export interface Member {
  readonly userId: string;
  readonly joinedAtMs: number;
  roleIds: readonly string[];
}

/** A server with its people, roles and channels; threads are among the channels. */
export class Guild {
  readonly id: string;
  readonly name: string;
  readonly ownerId: string;
  readonly members: Map<string, Member> = new Map();
  readonly roles: Map<string, Role> = new Map();
  readonly channels: Map<string, Channel> = new Map();
  /** Threads that are not archived: what GUILD_CREATE tells and what the limit counts (D25). */
  readonly activeThreadIds: Set<string> = new Set();
  readonly botIds: Set<string> = new Set();
  /** What AutoMod lets no bot write (D32). */
  readonly blockedWords: Set<string> = new Set();
  /** Customary; the reference gives no figure (D25). */
  activeThreadLimit: number = 1000;
  /** Whether bots are told that it is out of order (D21). */
  isUnavailable = false;

  /** @everyone has the guild's id. */
  constructor(id: string, name: string, ownerId: string, everyone: bigint) {
    this.id = id;
    this.name = name;
    this.ownerId = ownerId;
    this.roles.set(id, { id, name: "@everyone", position: 0, permissions: everyone, isMentionable: false });
  }

  /** Undefined for somebody who is not a member. Of a thread the parent's overwrites count. */
  findPermissions(userId: string, channel: Channel | undefined): bigint | undefined {
    const member = this.members.get(userId);
    if (member === undefined) return undefined;
    const roles = member.roleIds.map((id) => this.roles.get(id)).filter((role) => role !== undefined);
    return computePermissions({
      isOwner: userId === this.ownerId,
      userId,
      everyoneId: this.id,
      everyone: this.roles.get(this.id)?.permissions ?? 0n,
      roles,
      overwrites: this.#findOverwrites(channel),
    });
  }

  #findOverwrites(channel: Channel | undefined): ReadonlyMap<string, Overwrite> | undefined {
    if (channel?.thread === undefined || channel.parentId === undefined) return channel?.overwrites;
    return this.channels.get(channel.parentId)?.overwrites;
  }
}
