import { isAddress, parseAddress } from "@banyan/plugin-sdk";
import type { RoutePicture } from "../access/route-state.ts";
import { BanyanError } from "../ports/errors.ts";
import { routeBound } from "./route-bound.ts";
import { type RouteTable, routeMessage } from "./route-message.ts";

/**
 * The session that the next message at an address would go to; of a direct chat one by whom the chat is named. Pure;
 * `undefined` for text that is no address, and where no key can be made of it.
 */
export function findChatSession(
  table: RouteTable,
  picture: Pick<RoutePicture, "links" | "listChatIds" | "findBinding">,
  address: string,
): string | undefined {
  if (!isAddress(address)) return undefined;
  const binding = picture.findBinding(address);
  const bound = binding && routeBound(binding);
  if (bound !== undefined) return bound.sessionKey;
  try {
    const place = parseAddress(address);
    const message = { id: "", address, sender: { id: place.chat }, text: "", at: 0 };
    return routeMessage(table, picture, place, message).sessionKey;
  } catch (error) {
    if (error instanceof BanyanError || error instanceof TypeError) return undefined;
    throw error;
  }
}
