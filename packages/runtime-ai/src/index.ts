/** Language models as agents, by the AI SDK: any OpenAI-compatible endpoint, and Anthropic. */
export { type AiRuntimeOptions, createAiRuntime } from "./ai-runtime.ts";
export type { ModelProvider } from "./models/model-provider.ts";
