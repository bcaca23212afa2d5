/** Whether the bot could write in a thread or channel, found out without writing there. */
import { findLacking } from "../inspection/lacking-permission.ts";
import type { PermissionName } from "../inspection/permission.ts";
import type { AddressedPlace } from "../places/place.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import { parseThreadFacts } from "./thread-facts.ts";

/** `archived`: the bot may open it by writing there. */
export type PlaceState =
  | { readonly kind: "open" | "archived" | "deleted" }
  /** `row` of the error table: how Discord would refuse a message. */
  | { readonly kind: "shut"; readonly row: string; readonly lacking: readonly PermissionName[] };

/** What every message there needs. */
export const NEEDED_IN_THREAD: readonly PermissionName[] = ["View Channel", "Send Messages in Threads"];
export const NEEDED_IN_CHANNEL: readonly PermissionName[] = ["View Channel", "Send Messages"];
const DELETED = "D18";
const UNSEEN = "D16";
const FORBIDDEN = "D17";
const LOCKED = "D23";

/** What Discord does not tell counts as open: a message finds out. Rejects where Discord does not answer. */
export async function findPlaceState(
  place: Pick<AddressedPlace, "channelId" | "parentId" | "isThread">,
  options: { readonly api: DiscordApi; readonly botId: string },
): Promise<PlaceState> {
  if (place.isThread) return findThreadState(place, options);
  return judge((await findLacking(NEEDED_IN_CHANNEL, place, options)) ?? []) ?? { kind: "open" };
}

async function findThreadState(
  place: Pick<AddressedPlace, "channelId" | "parentId">,
  options: { readonly api: DiscordApi; readonly botId: string },
): Promise<PlaceState> {
  const attempt = `Looking at Discord thread ${place.channelId}`;
  const route = `/channels/${place.channelId}` as const;
  const looked = await options.api.attempt({ method: "get", route, attempt, context: { isInThread: true } });
  if ("error" in looked) {
    if (looked.fault.row === DELETED) return { kind: "deleted" };
    if (looked.fault.row === UNSEEN) return { kind: "shut", row: UNSEEN, lacking: ["View Channel"] };
    throw looked.error;
  }
  const { isLocked = false, isArchived = false } = parseThreadFacts(looked.answer) ?? {};
  const lacking = (await findLacking([...NEEDED_IN_THREAD, "Manage Threads"], place, options)) ?? [];
  const shut = judge(lacking.filter((name) => name !== "Manage Threads"));
  if (shut !== undefined) return shut;
  if (isLocked && lacking.length > 0) return { kind: "shut", row: LOCKED, lacking };
  return { kind: isArchived ? "archived" : "open" };
}

function judge(lacking: readonly PermissionName[]): PlaceState | undefined {
  return lacking.length === 0 ? undefined : { kind: "shut", row: FORBIDDEN, lacking };
}
