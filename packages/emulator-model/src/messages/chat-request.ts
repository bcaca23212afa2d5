import { z } from "zod";

/** What a script can look at of a message; the rest is kept as it came. */
export interface ChatMessage {
  readonly role: "system" | "developer" | "user" | "assistant" | "tool";
  readonly content?:
    | string
    | readonly { readonly type: string; readonly text?: string | undefined }[]
    | null
    | undefined;
  readonly tool_call_id?: string | undefined;
  readonly tool_calls?:
    | readonly { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } }[]
    | undefined;
}

/** `POST /chat/completions` of the OpenAI API (API reference, "Create chat completion"). */
export interface ChatRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly stream?: boolean | undefined;
  readonly stream_options?: { readonly include_usage?: boolean | undefined } | undefined;
  readonly reasoning_effort?: string | undefined;
  readonly tools?: readonly { readonly function: { readonly name: string } }[] | undefined;
}

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() });

const messageSchema = z.looseObject({
  role: z.enum(["system", "developer", "user", "assistant", "tool"]),
  content: z.union([z.string(), z.array(partSchema), z.null()]).optional(),
  tool_call_id: z.string().optional(),
  tool_calls: z
    .array(z.looseObject({ id: z.string(), function: z.looseObject({ name: z.string(), arguments: z.string() }) }))
    .optional(),
});

export const chatRequestSchema: z.ZodType<ChatRequest> = z.looseObject({
  model: z.string().min(1),
  messages: z.array(messageSchema).min(1),
  stream: z.boolean().optional(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).optional(),
  reasoning_effort: z.string().optional(),
  tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string() }) })).optional(),
});
