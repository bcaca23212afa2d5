/** Discord documentation, "Gateway": the bits of the events that the channel needs, and no more. */
const GUILDS = 1 << 0;
const GUILD_MESSAGES = 1 << 9;
const DIRECT_MESSAGES = 1 << 12;
const MESSAGE_CONTENT = 1 << 15;

/** Without the right to it the last one would have the whole connection refused. */
export function listIntents(hearsContent: boolean): number {
  return GUILDS | GUILD_MESSAGES | DIRECT_MESSAGES | (hearsContent ? MESSAGE_CONTENT : 0);
}
