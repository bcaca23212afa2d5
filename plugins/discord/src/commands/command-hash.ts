import { createHash } from "node:crypto";
import type { SlashCommand } from "./slash-command.ts";

/**
 * The same for lists that Discord shows the same, so that a list is registered once and not at every start: Discord takes
 * 200 new commands a day. Neither the order of the commands counts nor that of an object's fields.
 */
export function hashCommands(commands: readonly SlashCommand[]): string {
  const sorted = commands.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(sorted, sortFields)).digest("base64url");
}

function sortFields(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}
