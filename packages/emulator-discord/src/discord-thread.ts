import { alterChannel } from "./control/channel-operations.ts";
import type { ChannelKind, ChannelState } from "./control/channel-state.ts";
import { readChats } from "./control/chat-operations.ts";
import type { Control } from "./control/operation.ts";
import { alterThread, changeThreadMember, type ThreadAlteration } from "./control/thread-operations.ts";
import { type ChatMessage, isWritten } from "./world/message-log.ts";

/** A thread as it was when it was read last: what people do to it reads it anew, and so does `refresh`. */
export class DiscordThread {
  readonly id: string;
  readonly kind: ChannelKind;
  /** The channel it hangs below. */
  readonly parentId: string | undefined;
  readonly #control: Control;
  #state: ChannelState;

  /** By DiscordChannel.threads() and the like. */
  constructor(control: Control, state: ChannelState) {
    this.id = state.id;
    this.kind = state.kind;
    this.parentId = state.parentId;
    this.#control = control;
    this.#state = state;
  }

  get name(): string {
    return this.#state.name;
  }

  get isArchived(): boolean {
    return this.#state.isArchived;
  }

  get isLocked(): boolean {
    return this.#state.isLocked;
  }

  get isDeleted(): boolean {
    return this.#state.isDeleted;
  }

  /** People and bots. */
  get memberIds(): readonly string[] {
    return this.#state.memberIds;
  }

  get autoArchiveMin(): number | undefined {
    return this.#state.autoArchiveMin;
  }

  /** Of a forum post. */
  get appliedTagIds(): readonly string[] {
    return this.#state.appliedTagIds;
  }

  /** The bots' messages as they stand now, without deleted ones and without what Discord writes by itself. */
  async messages(): Promise<readonly ChatMessage[]> {
    const all = await this.history();
    return all.filter(({ isBot, isDeleted, message }) => isBot && !isDeleted && isWritten(message));
  }

  /** Every message with all versions, deleted ones too. */
  async history(): Promise<readonly ChatMessage[]> {
    const [chat] = await this.#control.call(readChats, { channelId: this.id });
    return chat?.messages ?? [];
  }

  async refresh(): Promise<this> {
    const [chat] = await this.#control.call(readChats, { channelId: this.id });
    this.#state = chat ?? this.#state;
    return this;
  }

  archives({ locked }: { readonly locked?: boolean } = {}): Promise<void> {
    return this.#alter({ isArchived: true, ...(locked !== undefined && { isLocked: locked }) });
  }

  unarchives(): Promise<void> {
    return this.#alter({ isArchived: false });
  }

  locks(): Promise<void> {
    return this.#alter({ isLocked: true });
  }

  unlocks(): Promise<void> {
    return this.#alter({ isLocked: false });
  }

  renames(name: string): Promise<void> {
    return this.#alter({ name });
  }

  async deletes(): Promise<void> {
    this.#state = await this.#control.call(alterChannel, { channelId: this.id, isDeleted: true });
  }

  async adds(member: { readonly id: string }): Promise<void> {
    await this.#control.call(changeThreadMember, { threadId: this.id, userId: member.id, action: "join" });
    await this.refresh();
  }

  async removes(member: { readonly id: string }): Promise<void> {
    await this.#control.call(changeThreadMember, { threadId: this.id, userId: member.id, action: "leave" });
    await this.refresh();
  }

  async #alter(change: Omit<ThreadAlteration, "threadId">): Promise<void> {
    this.#state = await this.#control.call(alterThread, { threadId: this.id, ...change });
  }
}
