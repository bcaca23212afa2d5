import type { Attempted, DiscordApi } from "../rest/discord-api.ts";

/** Takes a thread out of the archive. Never rejects. Of a locked one that takes the right to manage threads. */
export function unarchive(api: DiscordApi, threadId: string): Promise<Attempted> {
  return api.attempt({
    method: "patch",
    route: `/channels/${threadId}`,
    body: { archived: false },
    attempt: `Opening the archived Discord thread ${threadId}`,
    context: { isInThread: true, needs: ["Send Messages in Threads"] },
  });
}
