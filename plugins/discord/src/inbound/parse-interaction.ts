import { z } from "zod";
import type {
  DiscordInteraction,
  InteractionChannel,
  InteractionData,
  InteractionMember,
  InteractionOption,
} from "./discord-interaction.ts";
import { lenient, lenientList, lenientText, snowflake } from "./lenient-field.ts";
import { userSchema } from "./parse-message.ts";

const text: z.ZodType<string | undefined> = lenientText;
const number: z.ZodType<number | undefined> = lenient(z.number());
const id: z.ZodType<string | undefined> = lenient(snowflake);

const option: z.ZodType<InteractionOption> = z.object({
  name: z.string(),
  value: lenient(z.union([z.string().transform((words) => words.toWellFormed()), z.number(), z.boolean()])),
  focused: lenient(z.boolean()),
});
const data: z.ZodType<InteractionData> = z.object({
  name: text,
  type: number,
  options: lenientList(option),
  custom_id: text,
  component_type: number,
});
const member: z.ZodType<InteractionMember> = z.object({
  nick: text,
  roles: lenientList(snowflake),
  user: lenient(userSchema),
});
const channel: z.ZodType<InteractionChannel> = z.object({ id: snowflake, type: number, parent_id: id });

const interaction: z.ZodType<DiscordInteraction> = z.object({
  id: snowflake,
  application_id: id,
  type: z.number(),
  token: text,
  guild_id: id,
  channel_id: id,
  channel: lenient(channel),
  member: lenient(member),
  user: lenient(userSchema),
  message: lenient(z.object({ id: snowflake })),
  data: lenient(data),
  context: number,
});

/** What INTERACTION_CREATE or a call of the interactions' endpoint brings; `undefined` for one without id and type. */
export function parseInteraction(payload: unknown): DiscordInteraction | undefined {
  return interaction.safeParse(payload).data;
}
