import { z } from "zod";
import { type Bot, type BotIntents, type BotSpec, SESSION_START_LIMIT } from "../world/bot.ts";
import { nothing } from "./answer.ts";
import { requireEndpoint } from "./interactions-endpoint.ts";
import type { Operation } from "./operation.ts";

/** Which bot; may be left out where there is only one. */
export interface BotName {
  readonly botId?: string;
}

export interface BotState {
  readonly id: string;
  readonly username: string;
  readonly applicationId: string;
  /** Ed25519, in hex, as the developer portal shows it. */
  readonly publicKey: string;
  readonly isConnected: boolean;
  /** Those that are connected or can be resumed. */
  readonly sessions: readonly SessionState[];
}

export interface SessionState {
  readonly id: string;
  readonly isConnected: boolean;
  readonly intents: number;
  /** Of the last dispatch. */
  readonly seq: number;
}

/** What is changed of a bot; what is left out stays. */
export interface BotChange extends BotName {
  readonly intents?: BotIntents;
  /** Where interactions are POSTed, signed, instead of being dispatched; null brings them back to the gateway. */
  readonly interactionsUrl?: string | null;
  /** How many sessions it may still begin today (D51). */
  readonly startsLeft?: number;
}

const botId = z.string().exactOptional();
const botNameSchema: z.ZodType<BotName> = z.strictObject({ botId });
const intents = z.strictObject({ messageContent: z.boolean().exactOptional(), members: z.boolean().exactOptional() });
const botState: z.ZodType<BotState> = z.object({
  id: z.string(),
  username: z.string(),
  applicationId: z.string(),
  publicKey: z.string(),
  isConnected: z.boolean(),
  sessions: z.array(z.object({ id: z.string(), isConnected: z.boolean(), intents: z.int(), seq: z.int() })),
});

export const addBot: Operation<BotSpec, BotState> = {
  name: "addBot",
  request: z.strictObject({
    token: z.string().min(1),
    username: z.string().min(1),
    id: z.string().exactOptional(),
    intents: intents.exactOptional(),
  }),
  answer: botState,
  run: ({ world }, spec) => buildBotState(world.bots.add(spec)),
};

export const readBot: Operation<BotName, BotState> = {
  name: "readBot",
  request: botNameSchema,
  answer: botState,
  run: ({ world }, request) => {
    const bot = world.bots.get(request.botId);
    bot.dropLostSessions(world.clock.nowMs());
    return buildBotState(bot);
  },
};

export const revokeBot: Operation<BotName, void> = {
  name: "revokeBot",
  request: botNameSchema,
  answer: nothing,
  run: ({ world }, request) => world.bots.get(request.botId).revoke(),
};

export const setBot: Operation<BotChange, void> = {
  name: "setBot",
  request: z.strictObject({
    botId,
    intents: intents.exactOptional(),
    interactionsUrl: z.string().nullable().exactOptional(),
    startsLeft: z.int().min(0).max(SESSION_START_LIMIT).exactOptional(),
  }),
  answer: nothing,
  run: async ({ world }, change) => {
    const bot = world.bots.get(change.botId);
    bot.messageContent = change.intents?.messageContent ?? bot.messageContent;
    bot.members = change.intents?.members ?? bot.members;
    if (change.startsLeft !== undefined) bot.setStartsLeft(change.startsLeft, world.clock.nowMs());
    if (typeof change.interactionsUrl === "string")
      await requireEndpoint(bot, change.interactionsUrl, world.nextId(), world.clock.nowMs());
    if (change.interactionsUrl !== undefined) bot.interactionsUrl = change.interactionsUrl ?? undefined;
  },
};

function buildBotState(bot: Bot): BotState {
  const sessions = [...bot.sessions.values()].map(({ id, socket, seq, intents: wanted }) => ({
    id,
    isConnected: socket !== undefined,
    intents: wanted,
    seq,
  }));
  const { id, user, publicKey, isConnected } = bot;
  return { id, username: user.username, applicationId: id, publicKey, isConnected, sessions };
}
