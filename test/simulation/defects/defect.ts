import type { ChannelPlugin } from "@banyan/plugin-sdk";
import type { Store } from "@banyan/store";
import type { DiscordApi } from "../../../plugins/discord/src/rest/discord-api.ts";
import type { Staging } from "../events/staged-worlds.ts";
import type { Ground } from "../world/ground.ts";

/** A mistake put into a world on purpose, round the parts of a process: the invariants must find it. */
export interface Defect {
  readonly name: string;
  /** The invariants that may be the first to find it. */
  readonly breaks: readonly string[];
  /** It is one of the platform with threads: only worlds that have it are played, and counted. */
  readonly needsGuild?: true;
  /** It is one of messages that can be edited: likewise. */
  readonly needsMagpies?: true;
  /** It shows only in worlds that are staged so. */
  readonly needsStaging?: Staging;
  /** So many seeds find it; 300 where nothing is said. */
  readonly mostSeeds?: number;
  /** The platforms that know a message by its key do not know it again. */
  readonly forgetsKeys?: true;
  readonly wrapStore?: (store: Store, ground: Ground) => Store;
  /** The calls of the platform with threads. */
  readonly wrapApi?: (api: DiscordApi, ground: Ground) => DiscordApi;
  readonly wrapPlugin?: (plugin: ChannelPlugin, ground: Ground) => ChannelPlugin;
}

export const NO_DEFECT: Defect = { name: "none", breaks: [] };
