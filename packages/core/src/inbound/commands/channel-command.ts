import type { ChannelCommand } from "@banyan/plugin-sdk";
import type { CommandFace } from "../../commands/command.ts";
import { findSummaries } from "../../commands/command-summaries.ts";

/** The commands as a channel shows them to people who have not typed one yet: each under its first name. */
export function listChannelCommands(commands: readonly CommandFace[]): readonly ChannelCommand[] {
  return commands.map(({ name, summary, isDmOnly = false, parameters }) => {
    const summaries = findSummaries(name);
    return {
      name,
      summary,
      isDmOnly,
      ...(summaries === undefined ? {} : { summaries }),
      ...(parameters === undefined ? {} : { parameters }),
    };
  });
}
