/** People, and what is read of chats. */
import { ChannelType } from "discord-api-types/v10";
import { z } from "zod";
import { addReaction, removeReaction } from "../acts/react.ts";
import { EmulatorError } from "../ports/error.ts";
import type { Channel } from "../world/channel.ts";
import type { ChatEvent, ChatMessage } from "../world/message-log.ts";
import type { UserSpec } from "../world/user.ts";
import type { World } from "../world/world.ts";
import { chatEventSchema, chatMessageSchema, nothing, timeoutSchema } from "./answer.ts";
import { buildChannelState, type ChannelState, channelStateSchema } from "./channel-state.ts";
import type { Operation } from "./operation.ts";
import { type Place, placeFields, resolvePlace } from "./place.ts";

/** A channel, a thread or a DM with all versions of all its messages. */
export interface ChatHistory extends ChannelState {
  readonly messages: readonly ChatMessage[];
}

export interface ChatWait extends Place {
  readonly afterSeq: number;
  readonly timeoutMs: number;
}

/** What is left out is any. */
export interface ChatFilter {
  readonly guildId?: string;
  readonly channelId?: string;
  readonly parentId?: string;
}

export interface Reaction extends Place {
  readonly messageId: string;
  readonly emoji: string;
  /** Whether it is taken away. */
  readonly isOff: boolean;
}

const chatHistorySchema: z.ZodType<ChatHistory> = z.intersection(
  channelStateSchema,
  z.object({ messages: z.array(chatMessageSchema) }),
);

export const addUser: Operation<UserSpec, void> = {
  name: "addUser",
  request: z.strictObject({
    id: z.string().regex(/^\d{1,20}$/, "a snowflake, digits only"),
    username: z.string().min(1),
    globalName: z.string().exactOptional(),
  }),
  answer: nothing,
  run: ({ world }, spec) => world.addPerson(spec),
};

export const setDms: Operation<{ readonly userId: string; readonly takesDms: boolean }, void> = {
  name: "setDms",
  request: z.strictObject({ userId: z.string(), takesDms: z.boolean() }),
  answer: nothing,
  run: ({ world }, { userId, takesDms }) => {
    world.getPerson(userId).takesDms = takesDms;
  },
};

export const react: Operation<Reaction, void> = {
  name: "react",
  request: z.strictObject({ ...placeFields, messageId: z.string(), emoji: z.string(), isOff: z.boolean() }),
  answer: nothing,
  run: ({ world }, { messageId, emoji, isOff, ...place }) => {
    const channel = resolvePlace(world, place);
    const message = channel.log.find(messageId);
    if (message === undefined) {
      throw new EmulatorError(
        "unknown_message",
        `reacting to message ${messageId}: channel ${channel.id} has none such`,
      );
    }
    if (isOff) removeReaction(world, channel, message, emoji, place.userId);
    else addReaction(world, channel, message, emoji, place.userId);
  },
};

export const readChat: Operation<Place, ChatHistory> = {
  name: "readChat",
  request: z.strictObject(placeFields),
  answer: chatHistorySchema,
  run: ({ world }, place) => buildHistory(world, resolvePlace(world, place)),
};

/** Everything that can hold messages or threads; deleted ones too. */
export const readChats: Operation<ChatFilter, readonly ChatHistory[]> = {
  name: "readChats",
  request: z.strictObject({
    guildId: z.string().exactOptional(),
    channelId: z.string().exactOptional(),
    parentId: z.string().exactOptional(),
  }),
  answer: z.array(chatHistorySchema),
  run: ({ world }, { guildId, channelId, parentId }) =>
    world
      .allChannels()
      .filter(
        (channel) =>
          channel.type !== ChannelType.GuildCategory &&
          (guildId === undefined || channel.guildId === guildId) &&
          (channelId === undefined || channel.id === channelId) &&
          (parentId === undefined || channel.parentId === parentId),
      )
      .map((channel) => buildHistory(world, channel)),
};

/** What happened after `afterSeq`, as soon as there is something, or nothing after `timeoutMs`. */
export const awaitChat: Operation<ChatWait, readonly ChatEvent[]> = {
  name: "awaitChat",
  request: z.strictObject({ ...placeFields, afterSeq: z.int(), timeoutMs: timeoutSchema }),
  answer: z.array(chatEventSchema),
  run: async ({ world }, { afterSeq, timeoutMs, ...place }) => {
    const { log } = resolvePlace(world, place);
    await log.changed.until(() => log.lastSeq > afterSeq, timeoutMs);
    return log.eventsAfter(afterSeq);
  },
};

function buildHistory(world: World, channel: Channel): ChatHistory {
  return { ...buildChannelState(world, channel), messages: channel.log.history() };
}
