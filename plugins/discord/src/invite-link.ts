import { type DiscordConfig, formatPageUrl } from "./discord-config.ts";
import { type PermissionName, sumPermissions } from "./inspection/permission.ts";

/** What the bot needs in each channel that it works in. */
export const NEEDED: readonly PermissionName[] = [
  "View Channel",
  "Send Messages",
  "Embed Links",
  "Attach Files",
  "Read Message History",
  "Create Public Threads",
  "Send Messages in Threads",
  "Manage Threads",
];

/** The address by which the owner of a server invites the bot, with what it needs (documentation, "OAuth2": bot authorization). */
export function buildInviteLink(applicationId: string, config: Pick<DiscordConfig, "apiBaseUrl">): string {
  const query = new URLSearchParams({
    client_id: applicationId,
    scope: "bot applications.commands",
    permissions: String(sumPermissions(NEEDED)),
  });
  return formatPageUrl(config, `/oauth2/authorize?${query}`);
}
