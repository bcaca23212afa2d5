import { z } from "zod";
import { type MessageBody, messageBodySchema } from "./message-body.ts";

/** The body of an answer to an interaction, over HTTP or as the endpoint's own response. */
export type InteractionBody =
  | { readonly type: 1 }
  | { readonly type: 4 | 7; readonly data: MessageBody }
  | { readonly type: 5; readonly data?: { readonly flags?: number | undefined } | undefined }
  | { readonly type: 6 }
  | {
      readonly type: 8;
      readonly data: { readonly choices: readonly { readonly name: string; readonly value: string | number }[] };
    }
  | { readonly type: 9; readonly data: Readonly<Record<string, unknown>> };

const choice = z.looseObject({ name: z.string().min(1).max(100), value: z.union([z.string().max(100), z.number()]) });

export const interactionBodySchema: z.ZodType<InteractionBody> = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal(1) }),
  z.strictObject({ type: z.literal([4, 7]), data: messageBodySchema }),
  z.strictObject({ type: z.literal(5), data: z.looseObject({ flags: z.int().optional() }).optional() }),
  z.strictObject({ type: z.literal(6) }),
  z.strictObject({ type: z.literal(8), data: z.strictObject({ choices: z.array(choice).max(25) }) }),
  z.strictObject({
    type: z.literal(9),
    data: z.looseObject({ custom_id: z.string().min(1).max(100), title: z.string().max(45) }),
  }),
]);
