import { type ChannelSpec, createChannel } from "./control/channel-operations.ts";
import { isThread } from "./control/channel-state.ts";
import { readChats } from "./control/chat-operations.ts";
import {
  addRole,
  changeMember,
  type GuildRules,
  type GuildState,
  readGuilds,
  setGuildOutage,
  setRules,
} from "./control/guild-operations.ts";
import type { Control } from "./control/operation.ts";
import { DiscordChannel } from "./discord-channel.ts";
import { DiscordThread } from "./discord-thread.ts";
import { EmulatorError } from "./ports/error.ts";
import type { PermissionName } from "./world/permission.ts";

/** A server. */
export class DiscordGuild {
  readonly id: string;
  readonly name: string;
  readonly #control: Control;

  /** By DiscordEmulator.createGuild(). */
  constructor(control: Control, { id, name }: Pick<GuildState, "id" | "name">) {
    this.id = id;
    this.name = name;
    this.#control = control;
  }

  async createChannel({
    kind = "text",
    ...spec
  }: Omit<ChannelSpec, "guildId" | "kind"> & { readonly kind?: ChannelSpec["kind"] }): Promise<DiscordChannel> {
    const state = await this.#control.call(createChannel, { ...spec, kind, guildId: this.id });
    return new DiscordChannel(this.#control, state);
  }

  /** Its threads in all channels, archived ones too, without deleted ones, in the order they were opened. */
  async threads(): Promise<readonly DiscordThread[]> {
    const states = await this.#control.call(readChats, { guildId: this.id });
    return states
      .filter((state) => isThread(state) && !state.isDeleted)
      .map((state) => new DiscordThread(this.#control, state));
  }

  /** A person, or a bot that is invited; with the ids of roles, also for somebody who is in it already. */
  joins(
    member: { readonly id: string },
    {
      roles = [],
      permissions,
    }: { readonly roles?: readonly string[]; readonly permissions?: readonly PermissionName[] } = {},
  ): Promise<void> {
    return this.#change(member, "join", { roleIds: roles, ...(permissions !== undefined && { permissions }) });
  }

  /** A person, or a bot that is removed (D20). */
  leaves(member: { readonly id: string }): Promise<void> {
    return this.#change(member, "leave", { roleIds: [] });
  }

  /** Invites a bot, by default with what Banyan's invitation asks for and @everyone has. */
  adds(
    bot: { readonly id: string },
    options: { readonly permissions?: readonly PermissionName[] } = {},
  ): Promise<void> {
    return this.joins(bot, options);
  }

  removes(bot: { readonly id: string }): Promise<void> {
    return this.leaves(bot);
  }

  /** Resolves with the role's id. */
  createRole(
    name: string,
    { permissions = [], mentionable = true }: { permissions?: readonly PermissionName[]; mentionable?: boolean } = {},
  ): Promise<string> {
    return this.#control.call(addRole, { guildId: this.id, name, permissions, isMentionable: mentionable });
  }

  /** Whether bots are told that the guild is out of order; nothing of it reaches them meanwhile (D21). */
  outage(isOn: boolean = true): Promise<void> {
    return this.#control.call(setGuildOutage, { guildId: this.id, isOn });
  }

  /** What AutoMod blocks of bots (D32), and how many threads may be active at once (D25). */
  rules(rules: Omit<GuildRules, "guildId">): Promise<void> {
    return this.#control.call(setRules, { ...rules, guildId: this.id });
  }

  async state(): Promise<GuildState> {
    const [state] = await this.#control.call(readGuilds, { guildId: this.id });
    if (state === undefined) throw new EmulatorError("unknown_guild", `reading guild ${this.id}: there is none`);
    return state;
  }

  #change(
    { id }: { readonly id: string },
    action: "join" | "leave",
    rest: { readonly roleIds: readonly string[]; readonly permissions?: readonly string[] },
  ): Promise<void> {
    return this.#control.call(changeMember, { guildId: this.id, userId: id, action, ...rest });
  }
}
