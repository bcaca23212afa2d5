import { ChannelError, type Clock, type EditsAbility } from "@banyan/plugin-sdk";
import { buildRunRow } from "../cards/card-button.ts";
import type { ButtonKey } from "../commands/button-id.ts";
import { renderMarkdown } from "../markdown/render-markdown.ts";
import { parsePlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { unarchive } from "../threads/archived-thread.ts";
import { buildEditBody, type MessageExtras } from "./message-body.ts";

/** The edit can never be made: the message is gone, another's, or too old for another one. */
const NEVER: ReadonlySet<string | undefined> = new Set(["D18", "D19", "D30", "D31"]);
const ARCHIVED = "D22";

/**
 * Edits an own message, also in an archived thread, which is opened for it. Resolves with `false` where it can be edited
 * no more. Rejects with a `ChannelError`.
 */
export async function editMessage(
  api: DiscordApi,
  { channelId, messageId }: { readonly channelId: string; readonly messageId: string },
  body: object,
): Promise<boolean> {
  const call = {
    method: "patch",
    route: `/channels/${channelId}/messages/${messageId}`,
    body,
    attempt: `Editing a message in Discord channel ${channelId}`,
  } as const;
  const tried = await api.attempt(call);
  if (!("error" in tried)) return true;
  if (NEVER.has(tried.fault.row)) return false;
  if (tried.fault.row !== ARCHIVED) throw tried.error;
  const opened = await unarchive(api, channelId);
  if ("error" in opened) throw opened.error;
  await api.call(call);
  return true;
}

/** Edits the account's own messages for the host. A running run gets a stop button below its message. */
export function createEdits(api: DiscordApi, key: ButtonKey, clock: Pick<Clock, "now">): EditsAbility {
  return {
    async edit({ address, platformId: messageId, text, run }) {
      const { channelId } = parsePlace(address);
      const row = run && buildRunRow(run, { key, now: clock.now() });
      // Buttons that an edit does not mention stay below the message ("Edit Message").
      const buttons: MessageExtras = { components: row === undefined ? [] : [row] };
      if (await editMessage(api, { channelId, messageId }, buildEditBody(renderMarkdown(text), buttons))) return;
      const what = "it is gone, or too old to be edited again; send a new one";
      throw new ChannelError("message_gone", `Editing a message in Discord channel ${channelId}: ${what}`);
    },
  };
}
