/** The schemas of answers that several operations give. */
import type { APIMessage } from "discord-api-types/v10";
import { z } from "zod";
import type { ChatEvent, ChatMessage } from "../world/message-log.ts";

/** A wait longer than this would meet the time limits of HTTP clients. */
const WAIT_LIMIT_MS = 240_000;

export const timeoutSchema: z.ZodType<number> = z.number().min(0).max(WAIT_LIMIT_MS);
export const nothing: z.ZodType<void> = z.union([z.null(), z.undefined()]).transform(() => undefined);

const message: z.ZodType<APIMessage> = z.custom<APIMessage>((value) => typeof value === "object" && value !== null);
const line = { messageId: z.string(), authorId: z.string(), isBot: z.boolean(), text: z.string(), message };

export const chatMessageSchema: z.ZodType<ChatMessage> = z.object({
  ...line,
  versions: z.array(z.object({ text: z.string(), atMs: z.number(), message })),
  isDeleted: z.boolean(),
});

export const chatEventSchema: z.ZodType<ChatEvent> = z.object({
  ...line,
  seq: z.int(),
  kind: z.enum(["sent", "edited", "deleted"]),
  isEdit: z.boolean(),
  atMs: z.number(),
});
