import type { ProviderVariables } from "@banyan/core";

/**
 * Providers of models that their usual variables switch on. The models are small ones that are there for every key; who
 * wants another names it. OpenAI's address and variables are those of its own libraries, Anthropic's likewise.
 */
export const KNOWN_PROVIDERS: readonly ProviderVariables[] = [
  {
    name: "openai",
    kind: "openai-compatible",
    variables: { OPENAI_API_KEY: "apiKey", OPENAI_BASE_URL: "baseUrl" },
    baseUrl: "https://api.openai.com/v1",
    usualModel: "gpt-5-mini",
  },
  {
    name: "anthropic",
    kind: "anthropic",
    variables: { ANTHROPIC_API_KEY: "apiKey" },
    usualModel: "claude-sonnet-4-5",
  },
];
