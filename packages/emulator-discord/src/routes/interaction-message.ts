/** The messages of an interaction after its first answer: followups, edits, deletions, by its token. */
import { MessageFlags } from "discord-api-types/v10";
import { deleteAnswer, editAnswer, findAnswer, postAnswer } from "../acts/answer-interaction.ts";
import { type Answer, accept, NOTHING, parseBody, type Request } from "../rest/call.ts";
import { messageBodySchema } from "../rest/message-body.ts";
import { refuse } from "../rest/refusal.ts";
import { type Interaction, TOKEN_LIMIT_MS } from "../world/interaction.ts";
import { buildChange, buildDraft } from "./message-draft.ts";

/** Undefined where the token is none of an interaction: then it is a webhook's. */
export function findInteraction({ world, path }: Request): Interaction | undefined {
  const interaction = world.interactions.findByToken(path.token ?? "");
  if (interaction === undefined || interaction.botId !== path.webhook) return undefined;
  if (world.clock.nowMs() - interaction.createdAtMs > TOKEN_LIMIT_MS) throw refuse(50027);
  if (interaction.ack === undefined) throw refuse(10015);
  return interaction;
}

/** The first one after a deferred answer takes its place (Create Followup Message). */
export function createFollowup(request: Request, interaction: Interaction): Answer {
  const body = parseBody(request, messageBodySchema);
  const { world } = request;
  const draft = buildDraft(request, body);
  const original = findAnswer(world, interaction, interaction.originalId ?? "");
  if (original !== undefined && ((original.flags ?? 0) & MessageFlags.Loading) !== 0) {
    return accept(editAnswer(world, interaction, original, buildChange(request, body, original)));
  }
  const isEphemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  return accept(postAnswer(world, interaction, draft, isEphemeral));
}

export function readAnswer(request: Request, interaction: Interaction): Answer {
  return accept(getAnswer(request, interaction));
}

export function updateAnswer(request: Request, interaction: Interaction): Answer {
  const message = getAnswer(request, interaction);
  const body = parseBody(request, messageBodySchema);
  return accept(editAnswer(request.world, interaction, message, buildChange(request, body, message)));
}

export function removeAnswer(request: Request, interaction: Interaction): Answer {
  deleteAnswer(request.world, interaction, getAnswer(request, interaction).id);
  return NOTHING;
}

function getAnswer({ world, path }: Request, interaction: Interaction): NonNullable<ReturnType<typeof findAnswer>> {
  const id = path.message === "@original" ? (interaction.originalId ?? "") : (path.message ?? "");
  const message = findAnswer(world, interaction, id);
  if (message === undefined) throw refuse(10008);
  return message;
}
