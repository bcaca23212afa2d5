import { GatewayIntentBits } from "discord-api-types/v10";

const EVERY_INTENT = Object.values(GatewayIntentBits)
  .filter((bit) => typeof bit === "number")
  .reduce((all, bit) => all | bit, 0);

export interface IntentGrant {
  readonly messageContent: boolean;
  readonly members: boolean;
}

/** The close code of an IDENTIFY whose intents are none, or not switched on in the portal (D42). */
export function decideIntents(intents: number, granted: IntentGrant): 4013 | 4014 | undefined {
  if (!Number.isInteger(intents) || intents < 0 || intents > EVERY_INTENT || (intents & ~EVERY_INTENT) !== 0)
    return 4013;
  const isRefused =
    (!granted.messageContent && (intents & GatewayIntentBits.MessageContent) !== 0) ||
    (!granted.members && (intents & (GatewayIntentBits.GuildMembers | GatewayIntentBits.GuildPresences)) !== 0);
  return isRefused ? 4014 : undefined;
}
