/** Discord shows whoever may not read a channel's history an empty one, and says nothing of it. */
import { findLacking } from "../inspection/lacking-permission.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";

/** Whether what was said there can be read back; also where Discord does not tell what the bot may do. */
export async function mayReadHistory(
  place: Pick<AddressedPlace, "parentId" | "isDm">,
  asking: { readonly api: DiscordApi; readonly botId: string },
): Promise<boolean> {
  if (place.isDm) return true;
  const lacking = (await findLacking(["Read Message History"], place, asking)) ?? [];
  return lacking.length === 0;
}
