import type { ChannelCommand, Log } from "@banyan/plugin-sdk";
import { hashCommands } from "../commands/command-hash.ts";
import { buildSlashCommands } from "../commands/slash-command.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import type { StateKeeper } from "../state/state-keeper.ts";

export interface CommandRegistrationOptions {
  readonly api: DiscordApi;
  readonly applicationId: string;
  readonly commands: readonly ChannelCommand[];
  readonly keeper: StateKeeper;
  readonly log: Log;
}

/** Gives Discord the list of slash commands, once for each change of it. Never rejects; the next start tries again. */
export async function registerCommands(options: CommandRegistrationOptions): Promise<void> {
  const { api, applicationId, commands, keeper, log } = options;
  const body = buildSlashCommands(commands);
  const hash = hashCommands(body);
  if (keeper.state.commands === hash) return;
  const tried = await api.attempt({
    method: "put",
    route: `/applications/${applicationId}/commands`,
    body: [...body],
    attempt: "Registering slash commands with Discord",
  });
  if ("error" in tried) {
    log.warn({ err: tried.error }, "Discord has no slash commands, or old ones, until the next start");
    return;
  }
  keeper.note((state) => ({ ...state, commands: hash }));
  log.info({ commands: body.length }, "Discord: slash commands are registered");
}
