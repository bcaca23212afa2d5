import { fileURLToPath } from "node:url";

/** What the plugins that come along are found from. */
export const OWN_FILE: string = fileURLToPath(import.meta.url);

export interface BuiltInChannel {
  readonly package: string;
  readonly channel: string;
  /** On without any setting. */
  readonly isAlwaysOn: boolean;
}

/** The channels that come with Banyan, in the order they are shown. */
export const BUILT_IN_CHANNELS: readonly BuiltInChannel[] = [
  { package: "@banyan/channel-webchat", channel: "webchat", isAlwaysOn: true },
  { package: "@banyan/channel-telegram", channel: "telegram", isAlwaysOn: false },
  { package: "@banyan/channel-discord", channel: "discord", isAlwaysOn: false },
];

/** The built-in channel that an entry of `plugins` means, by its id or its package. */
export function findBuiltInChannel(name: string): BuiltInChannel | undefined {
  return BUILT_IN_CHANNELS.find((built) => built.channel === name || built.package === name);
}
