/** Where models answer. */
export interface ModelProvider {
  readonly kind: "openai-compatible" | "anthropic";
  /** Such as `https://api.openai.com/v1`. Needed with `openai-compatible`. */
  readonly baseUrl?: string | undefined;
  /** Absent: none is sent, as to a server on one's own machine. */
  readonly apiKey?: string | undefined;
  /** Whether its models see pictures. Absent: by the model's name. */
  readonly images?: boolean | undefined;
  /** How many tokens its models take in, prompt and answer together. */
  readonly contextWindowTokens?: number | undefined;
}
