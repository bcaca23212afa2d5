import type { APIMessage } from "discord-api-types/v10";
import { z } from "zod";
import { acknowledge } from "../acts/answer-interaction.ts";
import {
  type BegunInteraction,
  beginInteraction,
  buildSignedRequest,
  dispatchInteraction,
  type NewInteraction,
} from "../acts/begin-interaction.ts";
import { EmulatorError } from "../ports/error.ts";
import { listCustomIds } from "../rest/component.ts";
import { readAcknowledgement } from "../routes/interaction.ts";
import type { Channel } from "../world/channel.ts";
import { ACK_LIMIT_MS, type AckType, type Interaction } from "../world/interaction.ts";
import type { ChatEvent, ChatMessage } from "../world/message-log.ts";
import type { World } from "../world/world.ts";
import { chatEventSchema, chatMessageSchema, timeoutSchema } from "./answer.ts";
import { buildCommandData, type CommandUse, getCommand } from "./command-choice.ts";
import type { Operation } from "./operation.ts";
import { type Place, placeFields, resolvePlace } from "./place.ts";

export interface InteractionState {
  readonly id: string;
  /** Undefined as long as nobody has answered. */
  readonly ack?: {
    readonly type: AckType;
    readonly isEphemeral: boolean;
    readonly content: string;
    readonly choices: readonly { readonly name: string; readonly value: string | number }[];
    readonly atMs: number;
  };
  /** Every message that answers it, as it stands, also those only its user sees. */
  readonly messages: readonly ChatMessage[];
}

export interface Press extends Place {
  readonly messageId: string;
  readonly customId: string;
  /** Of a select menu. */
  readonly values?: readonly string[];
}

export interface InteractionWait {
  readonly id: string;
  readonly timeoutMs: number;
}

const value = z.union([z.string(), z.number(), z.boolean()]);
const interactionState: z.ZodType<InteractionState> = z.object({
  id: z.string(),
  ack: z
    .object({
      type: z.literal([4, 5, 6, 7, 8, 9]),
      isEphemeral: z.boolean(),
      content: z.string(),
      choices: z.array(z.object({ name: z.string(), value: z.union([z.string(), z.number()]) })),
      atMs: z.number(),
    })
    .exactOptional(),
  messages: z.array(chatMessageSchema),
});

/** Resolves with the interaction's id when the bot has been told. */
export const useCommand: Operation<Place & CommandUse, string> = {
  name: "useCommand",
  request: z.strictObject({
    ...placeFields,
    command: z.string(),
    subcommand: z.string().exactOptional(),
    options: z.record(z.string(), value),
    focused: z.string().exactOptional(),
  }),
  answer: z.string(),
  run: ({ world }, { command, subcommand, options, focused, ...place }) => {
    const channel = resolvePlace(world, place);
    const bot = world.bots.get(place.botId ?? channel.dm?.botId);
    const use = {
      command,
      options,
      ...(subcommand !== undefined && { subcommand }),
      ...(focused !== undefined && { focused }),
    };
    const data = buildCommandData(world, channel, getCommand(bot, channel, command), use);
    const type = focused === undefined ? 2 : 4;
    return begin(world, { bot, userId: place.userId, channel, type, data });
  },
};

export const press: Operation<Press, string> = {
  name: "press",
  request: z.strictObject({
    ...placeFields,
    messageId: z.string(),
    customId: z.string(),
    values: z.array(z.string()).exactOptional(),
  }),
  answer: z.string(),
  run: ({ world }, { messageId, customId, values, ...place }) => {
    const channel = resolvePlace(world, place);
    const message = findPressed(world, channel, messageId);
    const known = (message?.components ?? []).flatMap(listCustomIds);
    if (message === undefined || !known.includes(customId)) {
      const text = `pressing "${customId}" on message ${messageId}: it has ${known.join(", ") || "no buttons"}`;
      throw new EmulatorError("unknown_message", text);
    }
    const bot = world.bots.get(message.application_id ?? message.author.id);
    const component = { custom_id: customId, component_type: values === undefined ? 2 : 3, ...(values && { values }) };
    return begin(world, { bot, userId: place.userId, channel, type: 3, data: component, message });
  },
};

/** What became of it by now, or when it is acknowledged, or after `timeoutMs`. */
export const awaitAcknowledgement: Operation<InteractionWait, InteractionState> = {
  name: "awaitAcknowledgement",
  request: z.strictObject({ id: z.string(), timeoutMs: timeoutSchema }),
  answer: interactionState,
  run: async ({ world }, { id, timeoutMs }) => {
    const interaction = getInteraction(world, id);
    await world.changed.until(() => interaction.ack !== undefined, timeoutMs);
    const { ack, log } = interaction;
    return { id, ...(ack !== undefined && { ack }), messages: log.history() };
  },
};

/** What its answers say after `afterSeq`, as soon as there is something, or nothing after `timeoutMs`. */
export const awaitAnswer: Operation<InteractionWait & { readonly afterSeq: number }, readonly ChatEvent[]> = {
  name: "awaitAnswer",
  request: z.strictObject({ id: z.string(), timeoutMs: timeoutSchema, afterSeq: z.int() }),
  answer: z.array(chatEventSchema),
  run: async ({ world }, { id, timeoutMs, afterSeq }) => {
    const { log } = getInteraction(world, id);
    await log.changed.until(() => log.lastSeq > afterSeq, timeoutMs);
    return log.eventsAfter(afterSeq);
  },
};

async function begin(world: World, init: NewInteraction): Promise<string> {
  const begun = beginInteraction(world, init);
  const { interactionsUrl } = init.bot;
  if (interactionsUrl === undefined) dispatchInteraction(world, init.bot, begun.payload);
  else await post(world, init, begun, interactionsUrl);
  return begun.interaction.id;
}

/** The response of the endpoint is the first answer; an endpoint that is not there or says no leaves it without one. */
async function post(
  world: World,
  { bot }: NewInteraction,
  { interaction, payload }: BegunInteraction,
  url: string,
): Promise<void> {
  const signal = AbortSignal.timeout(ACK_LIMIT_MS);
  const signed = buildSignedRequest(bot, payload, world.clock.nowMs());
  // An endpoint that is not there is for the bot's owner to notice; the person sees that nobody answers.
  const response = await fetch(url, { ...signed, signal }).catch(() => undefined);
  if (response?.status !== 200 || interaction.ack !== undefined) return;
  const body: unknown = await response.json();
  const request = { world, path: {}, query: new URLSearchParams(), body, files: [] };
  acknowledge(world, interaction, readAcknowledgement(request, interaction));
}

/** In the channel, or among the answers that only their user sees. */
function findPressed(world: World, channel: Channel, messageId: string): APIMessage | undefined {
  return channel.log.find(messageId) ?? world.interactions.findMessage(messageId);
}

function getInteraction(world: World, id: string): Interaction {
  const interaction = world.interactions.find(id);
  if (interaction !== undefined) return interaction;
  throw new EmulatorError("invalid_request", `finding interaction ${id}: there is none, or it is long over`);
}
