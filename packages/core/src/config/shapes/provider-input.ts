/** Where models answer, as it is written. */
export interface ProviderInput {
  /** Default `openai-compatible`: what OpenAI, ollama, llama.cpp, vLLM and OpenRouter speak. */
  readonly kind?: "openai-compatible" | "anthropic" | undefined;
  /** Such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl?: string | undefined;
  /** Best as `"env:NAME"`. Default: none is sent. */
  readonly apiKey?: string | undefined;
  /** How many tokens its models take, prompt and answer together. Default 128,000. */
  readonly contextWindow?: number | undefined;
  /** Whether its models see pictures. Default: by the model's name, as far as it is known. */
  readonly images?: boolean | undefined;
  /** Names of models that sub-agents may be given besides those that agents have. */
  readonly models?: readonly string[] | undefined;
}
