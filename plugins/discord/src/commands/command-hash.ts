import { createHash } from "node:crypto";
import type { SlashCommand } from "./slash-command.ts";

/**
 * The same for lists that Discord shows the same, so that a list is registered once and not at every start: Discord takes
 * 200 new commands a day. The order of the commands does not count, that of a command's options does.
 */
export function hashCommands(commands: readonly SlashCommand[]): string {
  const sorted = commands.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted)).digest("base64url");
}
