/** What people write, change and delete. */
import { type APIAttachment, type APIMessage, type APIUser, EmbedType, MessageType } from "discord-api-types/v10";
import { z } from "zod";
import { deleteMessage, editMessage, unfurlMessage } from "../acts/change-message.ts";
import { findMentions } from "../acts/mention.ts";
import { postMessage } from "../acts/post-message.ts";
import { EmulatorError } from "../ports/error.ts";
import type { Channel } from "../world/channel.ts";
import type { World } from "../world/world.ts";
import { nothing } from "./answer.ts";
import type { Operation } from "./operation.ts";
import { type Place, placeFields, requirePersonRight, resolvePlace } from "./place.ts";

/** A file that a person sends; nothing is kept but what the API tells of it. */
export interface AttachmentSpec {
  readonly filename: string;
  readonly contentType?: string;
  readonly sizeBytes?: number;
  /** An address on a host that never answers, if left out. */
  readonly url?: string;
}

export interface LineOptions {
  readonly replyTo?: string;
  readonly attachments?: readonly AttachmentSpec[];
  /** Ids of those it pings, in place of whom the text and the reply ping. */
  readonly mentions?: readonly string[];
}

export interface Line extends Place, LineOptions {
  readonly text: string;
}

export interface LineEdit extends Place {
  readonly messageId: string;
  readonly text: string;
}

/** What a link shows of its page. */
export interface Preview {
  readonly title: string;
  readonly url: string;
  readonly description?: string;
}

export interface LineName extends Place {
  readonly messageId: string;
}

const lineSchema: z.ZodType<Line> = z.strictObject({
  ...placeFields,
  text: z.string(),
  replyTo: z.string().exactOptional(),
  attachments: z
    .array(
      z.strictObject({
        filename: z.string(),
        contentType: z.string().exactOptional(),
        sizeBytes: z.int().exactOptional(),
        url: z.string().exactOptional(),
      }),
    )
    .exactOptional(),
  mentions: z.array(z.string()).exactOptional(),
});

/** In one go; answers the message ids in the same order. */
export const say: Operation<readonly Line[], readonly string[]> = {
  name: "say",
  request: z.array(lineSchema),
  answer: z.array(z.string()),
  run: ({ world }, lines) => lines.map((line) => postLine(world, line)),
};

export const editLine: Operation<LineEdit, void> = {
  name: "editLine",
  request: z.strictObject({ ...placeFields, messageId: z.string(), text: z.string() }),
  answer: nothing,
  run: ({ world }, { text, ...name }) => {
    const { channel, message } = getOwnLine(world, name);
    const mentions = findMentions(world, { channel, content: text, allowed: undefined, mayMentionEveryone: false });
    const change = { content: text, mentions: [...mentions.users], mention_roles: [...mentions.roleIds] };
    editMessage(world, channel, message, change);
  },
};

export const deleteLine: Operation<LineName, void> = {
  name: "deleteLine",
  request: z.strictObject({ ...placeFields, messageId: z.string() }),
  answer: nothing,
  run: ({ world }, name) => {
    const channel = resolvePlace(world, name);
    const message = channel.log.find(name.messageId);
    if (message === undefined) throw unknownMessage(name);
    if (message.author.id !== name.userId) requirePersonRight(world, name.userId, channel, "ManageMessages");
    deleteMessage(world, channel, name.messageId);
  },
};

/** A preview that Discord found for a link in the message (D57). */
export const unfurl: Operation<LineName & { readonly embed: Preview }, void> = {
  name: "unfurl",
  request: z.strictObject({
    ...placeFields,
    messageId: z.string(),
    embed: z.strictObject({ title: z.string(), url: z.string(), description: z.string().exactOptional() }),
  }),
  answer: nothing,
  run: ({ world }, { embed, ...name }) => {
    const channel = resolvePlace(world, name);
    const message = channel.log.find(name.messageId);
    if (message === undefined) throw unknownMessage(name);
    unfurlMessage(world, channel, message, [{ ...embed, type: EmbedType.Link }]);
  },
};

/** A message that Discord writes of what somebody did, such as 6 for a pin and 7 for joining (D54). */
export const notice: Operation<Place & { readonly type: number }, string> = {
  name: "notice",
  request: z.strictObject({ ...placeFields, type: z.int().min(1) }),
  answer: z.string(),
  run: ({ world }, { type, ...place }) => {
    const channel = resolvePlace(world, place);
    return postMessage(world, { channel, author: world.getPerson(place.userId).profile, content: "", type }).id;
  },
};

function postLine(world: World, line: Line): string {
  const author = world.bots.find(line.userId)?.user ?? world.getPerson(line.userId).profile;
  const channel = resolvePlace(world, line);
  if (!channel.holdsMessages || (line.text === "" && line.attachments === undefined)) {
    const text = `writing in channel ${channel.id}: it holds no messages, or there is nothing to say`;
    throw new EmulatorError("invalid_request", text);
  }
  requirePersonRight(world, line.userId, channel, channel.thread ? "SendMessagesInThreads" : "SendMessages");
  if (channel.thread?.isLocked === true) requirePersonRight(world, line.userId, channel, "ManageThreads");
  if (line.replyTo !== undefined && channel.log.find(line.replyTo) === undefined) {
    throw unknownMessage({ ...line, messageId: line.replyTo });
  }
  const reference = line.replyTo === undefined ? undefined : buildReference(channel, line.replyTo);
  const { id } = postMessage(world, {
    channel,
    author,
    content: line.text,
    attachments: (line.attachments ?? []).map((spec) => buildAttachment(world, spec)),
    ...(reference !== undefined && { reference, type: MessageType.Reply }),
    ...(line.mentions !== undefined && { extra: { mentions: findUsers(world, line.mentions) } }),
  });
  return id;
}

function buildReference({ id, guildId }: Channel, messageId: string): APIMessage["message_reference"] {
  return { type: 0, message_id: messageId, channel_id: id, ...(guildId !== undefined && { guild_id: guildId }) };
}

function buildAttachment(world: World, spec: AttachmentSpec): APIAttachment {
  const id = world.nextId();
  const url = spec.url ?? `https://cdn.discordapp.invalid/attachments/${id}/${encodeURIComponent(spec.filename)}`;
  const contentType = spec.contentType ?? "application/octet-stream";
  return { id, filename: spec.filename, size: spec.sizeBytes ?? 1, url, proxy_url: url, content_type: contentType };
}

function findUsers(world: World, ids: readonly string[]): APIUser[] {
  return ids.map((id) => world.findUser(id)).filter((user) => user !== undefined);
}

function getOwnLine(world: World, name: LineName): { readonly channel: Channel; readonly message: APIMessage } {
  const channel = resolvePlace(world, name);
  const message = channel.log.find(name.messageId);
  if (message?.author.id === name.userId) return { channel, message };
  throw unknownMessage(name);
}

function unknownMessage({ messageId, userId }: LineName): EmulatorError {
  return new EmulatorError(
    "unknown_message",
    `finding message ${messageId} as user ${userId}: it is not there, or not theirs`,
  );
}
