import { z } from "zod";
import type { ProviderInput } from "./provider-input.ts";

/** Instructions and tools alone fill less. */
const SMALLEST_WINDOW = 2_048;

const text = z.string().trim().min(1);

export const providerSchema: z.ZodType<ProviderInput, ProviderInput> = z.strictObject({
  kind: z.enum(["openai-compatible", "anthropic"]).optional(),
  baseUrl: z.url({ protocol: /^https?$/ }).optional(),
  apiKey: text.optional(),
  contextWindow: z.int().min(SMALLEST_WINDOW).optional(),
  images: z.boolean().optional(),
  models: z.array(text).optional(),
});
