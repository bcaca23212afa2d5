import { setDms } from "./control/chat-operations.ts";
import type { Control } from "./control/operation.ts";
import { DiscordChat } from "./discord-chat.ts";
import type { UserSpec } from "./world/user.ts";

/** A person of the emulated Discord. */
export class DiscordUser {
  readonly id: string;
  readonly username: string;
  readonly #control: Control;
  readonly #chats = new Map<string, DiscordChat>();

  /** By DiscordEmulator.user(). */
  constructor(control: Control, { id, username }: UserSpec) {
    this.id = id;
    this.username = username;
    this.#control = control;
  }

  /** Its DM with a bot, which need not be named where there is only one; asked again, the same object. */
  dm(botId?: string): DiscordChat {
    return this.#chat({ ...(botId !== undefined && { botId }) });
  }

  /** The person in a channel or thread; asked again, the same object. */
  in({ id }: { readonly id: string }): DiscordChat {
    return this.#chat({ channelId: id });
  }

  /** From now on messages of bots are refused with 50007 (D33). */
  closesDms(): Promise<void> {
    return this.#control.call(setDms, { userId: this.id, takesDms: false });
  }

  opensDms(): Promise<void> {
    return this.#control.call(setDms, { userId: this.id, takesDms: true });
  }

  #chat(place: { readonly botId?: string; readonly channelId?: string }): DiscordChat {
    const key = `${place.channelId ?? ""}|${place.botId ?? ""}`;
    const known = this.#chats.get(key);
    if (known !== undefined) return known;
    const chat = new DiscordChat(this.#control, this.username, { userId: this.id, ...place });
    this.#chats.set(key, chat);
    return chat;
  }
}
