import type { ChannelCommand } from "@banyan/plugin-sdk";
import type { Command } from "../../commands/command.ts";

/** The commands as a channel shows them to people who have not typed one yet: each under its first name. */
export function listChannelCommands(commands: readonly Command[]): readonly ChannelCommand[] {
  return commands.map(({ name, summary, isDmOnly = false }) => ({ name, summary, isDmOnly }));
}
