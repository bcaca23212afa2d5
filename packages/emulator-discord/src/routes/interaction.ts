import { InteractionType, MessageFlags } from "discord-api-types/v10";
import { type Acknowledgement, acknowledge } from "../acts/answer-interaction.ts";
import { type Answer, accept, NOTHING, type OpenRoute, parseBody, type Request } from "../rest/call.ts";
import { buildFieldError } from "../rest/form-error.ts";
import { type InteractionBody, interactionBodySchema } from "../rest/interaction-body.ts";
import { refuse, refuseForm } from "../rest/refusal.ts";
import { ACK_LIMIT_MS, type Interaction } from "../world/interaction.ts";
import { buildChange, buildDraft } from "./message-draft.ts";

/** The first answer within three seconds, and once (D37, D38). */
function answerInteraction(request: Request): Answer {
  const { world, path, query } = request;
  const interaction = world.interactions.find(path.interaction ?? "");
  const isLate = interaction !== undefined && world.clock.nowMs() - interaction.createdAtMs > ACK_LIMIT_MS;
  if (interaction === undefined || interaction.token !== path.token) throw refuse(10062);
  if (interaction.ack !== undefined) throw refuse(40060);
  if (isLate) throw refuse(10062);
  const { ack, message } = acknowledge(world, interaction, readAcknowledgement(request, interaction));
  if (query.get("with_response") !== "true") return NOTHING;
  const { id, type, channelId } = interaction;
  // A message to come is one already, and its kind is that of a message (Interaction Callback Resource).
  const resource = message && { type: ack.type === 7 ? 7 : 4, message };
  const flags = { response_message_ephemeral: ack.isEphemeral, response_message_loading: ack.type === 5 };
  return accept({
    interaction: { id, type, channel_id: channelId, ...flags, ...(message && { response_message_id: message.id }) },
    ...(resource !== undefined && { resource }),
  });
}

/** Also for what an interactions endpoint answers. Throws the refusal of a body that is wrong. */
export function readAcknowledgement(request: Request, interaction: Interaction): Acknowledgement {
  const body = parseBody(request, interactionBodySchema);
  const isForCompletion = interaction.type === InteractionType.ApplicationCommandAutocomplete;
  const isForComponent = interaction.type === InteractionType.MessageComponent;
  const isMisplaced =
    body.type === 1 ||
    isForCompletion !== (body.type === 8) ||
    (!isForComponent && (body.type === 6 || body.type === 7));
  if (isMisplaced) {
    const message = `Not an answer to an interaction of type ${interaction.type}.`;
    throw refuseForm(buildFieldError(["type"], "BASE_TYPE_CHOICES", message));
  }
  return buildAcknowledgement(request, interaction, body);
}

function buildAcknowledgement(
  request: Request,
  interaction: Interaction,
  body: Exclude<InteractionBody, { readonly type: 1 }>,
): Acknowledgement {
  switch (body.type) {
    case 4: {
      const isEphemeral = ((body.data.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
      return { type: 4, isEphemeral, draft: buildDraft(request, body.data) };
    }
    case 5:
      return { type: 5, isEphemeral: ((body.data?.flags ?? 0) & MessageFlags.Ephemeral) !== 0 };
    case 7: {
      const source = request.world.findChannel(interaction.channelId)?.log.find(interaction.sourceId ?? "");
      if (source === undefined) throw refuse(10008);
      return { type: 7, isEphemeral: false, change: buildChange(request, body.data, source) };
    }
    case 8:
      return { type: 8, isEphemeral: true, choices: body.data.choices };
    default:
      return { type: body.type, isEphemeral: true };
  }
}

export const interactionRoutes: readonly OpenRoute[] = [
  { template: "POST /interactions/:interaction/:token/callback", runOpen: answerInteraction },
];
