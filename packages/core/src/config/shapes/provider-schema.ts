import { z } from "zod";
import type { ProviderInput } from "./provider-input.ts";

/** Instructions and tools alone fill less. */
const SMALLEST_WINDOW = 2_048;

const text = z.string().trim().min(1);

export const providerSchema: z.ZodType<ProviderInput, ProviderInput> = z.strictObject({
  kind: z
    .enum(["openai-compatible", "anthropic"])
    .optional()
    .describe(
      "API that the provider speaks. `openai-compatible`: OpenAI, ollama, llama.cpp, vLLM, OpenRouter and others.",
    ),
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      "Address of the API, such as `http://127.0.0.1:11434/v1`. Default: known for `openai` and `anthropic`; others need it.",
    ),
  apiKey: text.optional().describe('API key. Best written as `"env:NAME"`. Default: none is sent.'),
  contextWindow: z
    .int()
    .min(SMALLEST_WINDOW)
    .optional()
    .describe("Tokens that a model takes, prompt and answer together."),
  images: z.boolean().optional().describe("Whether its models see images. Default: known from the model's name."),
  models: z
    .array(text)
    .optional()
    .describe("Further models that sub-agents may be given, without the provider's name."),
});
