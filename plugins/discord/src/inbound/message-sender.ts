import type { Sender } from "@banyan/plugin-sdk";
import type { DiscordMember, DiscordUser } from "./discord-message.ts";
import { formatUserName } from "./readable-text.ts";

/** `member`: who the user is in the server, absent in DMs and in what REST tells. */
export function readSender(user: DiscordUser, member: DiscordMember | undefined, isProgram = false): Sender {
  const displayName = formatUserName(user, member?.nick);
  return {
    id: user.id,
    ...(displayName !== undefined && { displayName }),
    ...((user.bot || isProgram) && { isBot: true }),
    ...(member !== undefined && { roles: member.roles }),
  };
}
