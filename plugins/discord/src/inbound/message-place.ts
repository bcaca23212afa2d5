import { type Address, formatAddress } from "@banyan/plugin-sdk";

/** Where a message is. A payload names its channel alone, so whoever knows the server's channels and threads says this. */
export type MessagePlace =
  | { readonly kind: "dm"; readonly channelId: string }
  | { readonly kind: "channel"; readonly channelId: string; readonly guildId: string }
  | { readonly kind: "thread"; readonly channelId: string; readonly parentId: string; readonly guildId: string };

/** A thread is a thread of its channel; a DM is named by its channel, which stays the same. */
export function formatPlaceAddress(account: string, place: MessagePlace): Address {
  const base = { channel: "discord", account } as const;
  switch (place.kind) {
    case "dm":
      return formatAddress({ ...base, kind: "dm", chat: place.channelId });
    case "channel":
      return formatAddress({ ...base, kind: "channel", chat: place.channelId });
    case "thread":
      return formatAddress({ ...base, kind: "channel", chat: place.parentId, thread: place.channelId });
  }
}

/** The server; `undefined` in a DM. */
export function readGuild(place: MessagePlace): string | undefined {
  return place.kind === "dm" ? undefined : place.guildId;
}
