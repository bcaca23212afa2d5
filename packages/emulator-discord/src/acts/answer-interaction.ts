/** What a bot answers to an interaction, whichever way it comes. */
import { type APIMessage, InteractionType, MessageFlags, MessageType } from "discord-api-types/v10";
import type { AckType, Interaction, InteractionAck } from "../world/interaction.ts";
import type { World } from "../world/world.ts";
import { deleteMessage, editMessage } from "./change-message.ts";
import type { Draft } from "./draft.ts";
import { buildMessage, postMessage } from "./post-message.ts";

const EPHEMERAL = MessageFlags.Ephemeral;
const LOADING = MessageFlags.Loading;

export interface Acknowledgement {
  readonly type: AckType;
  readonly isEphemeral: boolean;
  /** Of types 4 and 7. */
  readonly draft?: Draft;
  /** Of type 7: what it changes of the message with the button. */
  readonly change?: Partial<APIMessage>;
  /** Of type 8. */
  readonly choices?: readonly { readonly name: string; readonly value: string | number }[];
}

export interface Acknowledged {
  readonly ack: InteractionAck;
  /** The message that it makes or changes. */
  readonly message: APIMessage | undefined;
}

/** The first answer; whether there may be one has been looked at. */
export function acknowledge(world: World, interaction: Interaction, ack: Acknowledgement): Acknowledged {
  const { type, isEphemeral, draft, change, choices = [] } = ack;
  const content = draft?.content ?? change?.content ?? "";
  const given = { type, isEphemeral, content, choices, atMs: world.clock.nowMs() };
  interaction.ack = given;
  const message = applyAck(world, interaction, ack);
  interaction.originalId = message?.id ?? interaction.sourceId;
  world.changed.fire();
  return { ack: given, message };
}

function applyAck(world: World, interaction: Interaction, ack: Acknowledgement): APIMessage | undefined {
  const { type, isEphemeral, draft, change } = ack;
  if (type === 4 && draft !== undefined) return postAnswer(world, interaction, draft, isEphemeral);
  if (type === 5) return postAnswer(world, interaction, { content: "", flags: LOADING }, isEphemeral);
  if (type === 7 && change !== undefined && interaction.sourceId !== undefined) {
    const message = findAnswer(world, interaction, interaction.sourceId);
    return message && editAnswer(world, interaction, message, change);
  }
  return undefined;
}

/** A message that answers; an ephemeral one is nowhere but with the interaction. */
export function postAnswer(world: World, interaction: Interaction, draft: Draft, isEphemeral: boolean): APIMessage {
  const channel = world.getChannel(interaction.channelId);
  const { user: author } = world.bots.get(interaction.botId);
  const post = {
    channel,
    author,
    ...draft,
    flags: (draft.flags ?? 0) | (isEphemeral ? EPHEMERAL : 0),
    type: interaction.type === InteractionType.ApplicationCommand ? MessageType.ChatInputCommand : MessageType.Default,
    webhookId: interaction.botId,
    extra: { application_id: interaction.botId, ...buildMetadata(world, interaction) },
  };
  const message = isEphemeral ? buildMessage(world, post, world.clock.nowMs()) : postMessage(world, post);
  interaction.log.add(message, world.clock.nowMs());
  return message;
}

/** Undefined for one that is none of this interaction's, or deleted. */
export function findAnswer(world: World, interaction: Interaction, messageId: string): APIMessage | undefined {
  const isOwn = interaction.log.find(messageId) !== undefined || messageId === interaction.sourceId;
  if (!isOwn) return undefined;
  return world.findChannel(interaction.channelId)?.log.find(messageId) ?? interaction.log.find(messageId);
}

/** A deferred answer is one to come no more. */
export function editAnswer(
  world: World,
  interaction: Interaction,
  message: APIMessage,
  change: Partial<APIMessage>,
): APIMessage {
  const channel = world.getChannel(interaction.channelId);
  const settled = { ...change, flags: (change.flags ?? message.flags ?? 0) & ~LOADING };
  const isPublic = channel.log.find(message.id) !== undefined;
  const edited = isPublic
    ? editMessage(world, channel, message, settled)
    : { ...message, ...settled, edited_timestamp: new Date(world.clock.nowMs()).toISOString() };
  if (interaction.log.find(message.id) !== undefined) interaction.log.edit(edited, world.clock.nowMs());
  world.changed.fire();
  return edited;
}

export function deleteAnswer(world: World, interaction: Interaction, messageId: string): void {
  const channel = world.getChannel(interaction.channelId);
  if (channel.log.find(messageId) !== undefined) deleteMessage(world, channel, messageId);
  if (interaction.log.find(messageId) !== undefined) interaction.log.delete(messageId, world.clock.nowMs());
}

function buildMetadata(world: World, interaction: Interaction): Partial<APIMessage> {
  const user = world.getPerson(interaction.userId).profile;
  const owners = { authorizing_integration_owners: { 0: world.getChannel(interaction.channelId).guildId ?? "0" } };
  if (interaction.type === InteractionType.ApplicationCommand) {
    return { interaction_metadata: { id: interaction.id, type: InteractionType.ApplicationCommand, user, ...owners } };
  }
  const source = { interacted_message_id: interaction.sourceId ?? "" };
  return {
    interaction_metadata: { id: interaction.id, type: InteractionType.MessageComponent, user, ...owners, ...source },
  };
}
