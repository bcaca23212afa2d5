/** What people do with threads. */
import { ThreadAutoArchiveDuration } from "discord-api-types/v10";
import { z } from "zod";
import { changeThread, joinThread, leaveThread } from "../acts/change-thread.ts";
import { openThread } from "../acts/open-thread.ts";
import { postMessage } from "../acts/post-message.ts";
import { EmulatorError } from "../ports/error.ts";
import { nothing } from "./answer.ts";
import { buildChannelState, type ChannelState, channelStateSchema } from "./channel-state.ts";
import type { Operation } from "./operation.ts";
import { requirePersonRight } from "./place.ts";

export interface ThreadSpec {
  readonly parentId: string;
  /** Who opens it. */
  readonly userId: string;
  readonly name: string;
  /** The message it begins at. */
  readonly messageId?: string;
  readonly isPrivate?: boolean;
  /** The first message of a forum post. */
  readonly text?: string;
  readonly autoArchiveMin?: 60 | 1440 | 4320 | 10_080;
}

export interface ThreadAlteration {
  readonly threadId: string;
  readonly name?: string;
  readonly isArchived?: boolean;
  readonly isLocked?: boolean;
}

export interface ThreadMemberChange {
  readonly threadId: string;
  readonly userId: string;
  readonly action: "join" | "leave";
}

export const startThread: Operation<ThreadSpec, ChannelState> = {
  name: "startThread",
  request: z.strictObject({
    parentId: z.string(),
    userId: z.string(),
    name: z.string().min(1).max(100),
    messageId: z.string().exactOptional(),
    isPrivate: z.boolean().exactOptional(),
    text: z.string().min(1).exactOptional(),
    autoArchiveMin: z.union([z.literal(60), z.literal(1440), z.literal(4320), z.literal(10_080)]).exactOptional(),
  }),
  answer: channelStateSchema,
  run: ({ world }, { parentId, userId, name, messageId, isPrivate, text, autoArchiveMin }) => {
    const parent = world.getChannel(parentId);
    requirePersonRight(world, userId, parent, isPrivate === true ? "CreatePrivateThreads" : "CreatePublicThreads");
    if (parent.isForum !== (text !== undefined) || (messageId !== undefined && world.findChannel(messageId))) {
      const why = "a forum's needs a text and no other does, and a message has one thread at most";
      throw new EmulatorError("invalid_request", `opening a thread in channel ${parentId}: ${why}`);
    }
    const channel = openThread(world, {
      parent,
      ownerId: userId,
      name,
      autoArchiveMin: autoArchiveMin ?? ThreadAutoArchiveDuration.OneDay,
      isPrivate: isPrivate ?? false,
      ...(messageId !== undefined && { starterId: messageId }),
    });
    const author = world.getPerson(userId).profile;
    if (text !== undefined) postMessage(world, { channel, id: channel.id, author, content: text });
    return buildChannelState(world, channel);
  },
};

export const alterThread: Operation<ThreadAlteration, ChannelState> = {
  name: "alterThread",
  request: z.strictObject({
    threadId: z.string(),
    name: z.string().min(1).max(100).exactOptional(),
    isArchived: z.boolean().exactOptional(),
    isLocked: z.boolean().exactOptional(),
  }),
  answer: channelStateSchema,
  run: ({ world }, { threadId, ...change }) => {
    const channel = world.getChannel(threadId);
    if (channel.thread === undefined) {
      throw new EmulatorError("invalid_request", `changing thread ${threadId}: it is a channel`);
    }
    changeThread(world, channel, channel.thread, change);
    return buildChannelState(world, channel);
  },
};

export const changeThreadMember: Operation<ThreadMemberChange, void> = {
  name: "changeThreadMember",
  request: z.strictObject({ threadId: z.string(), userId: z.string(), action: z.enum(["join", "leave"]) }),
  answer: nothing,
  run: ({ world }, { threadId, userId, action }) => {
    const channel = world.getChannel(threadId);
    if (action === "join") joinThread(world, channel, userId);
    else leaveThread(world, channel, userId);
  },
};
