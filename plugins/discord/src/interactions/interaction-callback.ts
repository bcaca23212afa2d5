import type { Log } from "@banyan/plugin-sdk";
import type { DiscordInteraction } from "../inbound/discord-interaction.ts";
import type { DiscordApi } from "../rest/discord-api.ts";
import type { InteractionAnswer } from "./interaction-answer.ts";

/** Too late, or answered before: by an earlier life, or by another connection of the same bot. */
const OVER: ReadonlySet<string | undefined> = new Set(["D37", "D38"]);

/** Answers over REST what came over the gateway. Never rejects: what was said is stored, and answered by a message. */
export async function postAnswer(
  api: DiscordApi,
  log: Log,
  answer: InteractionAnswer,
  { id, token }: DiscordInteraction,
): Promise<void> {
  if (token === undefined) return;
  const tried = await api.attempt({
    method: "post",
    route: `/interactions/${id}/${token}/callback`,
    body: answer,
    isOpen: true,
    attempt: `Acknowledging Discord interaction ${id}`,
  });
  if (!("error" in tried)) return;
  if (OVER.has(tried.fault.row)) log.debug({ err: tried.error }, "an interaction was acknowledged too late, or before");
  else log.warn({ err: tried.error }, "an interaction was not acknowledged; what was said is answered all the same");
}
