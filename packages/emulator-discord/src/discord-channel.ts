import { alterChannel, setPermissions } from "./control/channel-operations.ts";
import type { ChannelKind, ChannelState } from "./control/channel-state.ts";
import { readChats } from "./control/chat-operations.ts";
import type { Control } from "./control/operation.ts";
import { startThread, type ThreadSpec } from "./control/thread-operations.ts";
import { DiscordThread } from "./discord-thread.ts";
import { type ChatMessage, isWritten } from "./world/message-log.ts";
import type { PermissionName } from "./world/permission.ts";

/** What a role, a person or a bot may do here beyond or below its roles, by the names of PermissionFlagsBits. */
export interface PermissionChange {
  readonly allow?: readonly PermissionName[];
  readonly deny?: readonly PermissionName[];
}

/** A channel of a guild. */
export class DiscordChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly guildId: string | undefined;
  /** Of a forum. */
  readonly tags: readonly { readonly id: string; readonly name: string }[];
  readonly #control: Control;

  /** By DiscordGuild.createChannel(). */
  constructor(control: Control, state: ChannelState) {
    this.id = state.id;
    this.name = state.name;
    this.kind = state.kind;
    this.guildId = state.guildId;
    this.tags = state.tags;
    this.#control = control;
  }

  /** The bots' messages as they stand now, without deleted ones. */
  async messages(): Promise<readonly ChatMessage[]> {
    return (await this.history()).filter(({ isBot, isDeleted, message }) => isBot && !isDeleted && isWritten(message));
  }

  /** Every message with all versions, deleted ones too. */
  async history(): Promise<readonly ChatMessage[]> {
    const [chat] = await this.#control.call(readChats, { channelId: this.id });
    return chat?.messages ?? [];
  }

  /** Its threads, archived ones too, without deleted ones, in the order they were opened. */
  async threads(): Promise<readonly DiscordThread[]> {
    const states = await this.#control.call(readChats, { parentId: this.id });
    return states.filter(({ isDeleted }) => !isDeleted).map((state) => new DiscordThread(this.#control, state));
  }

  /** A person opens a thread; in a forum with the `text` of its first message. */
  async createThread(
    by: { readonly id: string },
    spec: Omit<ThreadSpec, "parentId" | "userId">,
  ): Promise<DiscordThread> {
    const state = await this.#control.call(startThread, { ...spec, parentId: this.id, userId: by.id });
    return new DiscordThread(this.#control, state);
  }

  /** In place of what was set for it before; the guild's id is @everyone. */
  setPermissions(targetId: string, { allow = [], deny = [] }: PermissionChange): Promise<void> {
    return this.#control.call(setPermissions, { channelId: this.id, targetId, allow, deny });
  }

  async renames(name: string): Promise<void> {
    await this.#control.call(alterChannel, { channelId: this.id, name });
  }

  /** Seconds between messages of those who do not manage messages; 0 ends it (D29). */
  async slowmode(seconds: number): Promise<void> {
    await this.#control.call(alterChannel, { channelId: this.id, slowmodeS: seconds });
  }

  /** With its threads. */
  async deletes(): Promise<void> {
    await this.#control.call(alterChannel, { channelId: this.id, isDeleted: true });
  }
}
