import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { findFirstModel } from "./first-model.ts";
import { takesImages } from "./image-support.ts";
import { parseModelName } from "./model-name.ts";
import type { ModelProvider } from "./model-provider.ts";
import { ModelUnavailable } from "./model-unavailable.ts";
import type { OpenModel } from "./without-warnings.ts";

/** Providers that say nothing else: no model in use takes less, and OpenAI's and Anthropic's take that much. */
export const USUAL_WINDOW_TOKENS = 128_000;

const ANTHROPIC_URL = "https://api.anthropic.com/v1";

export interface OpenedModel {
  /** With the model's name also where the configuration leaves it to the provider. */
  readonly name: string;
  readonly model: OpenModel;
  readonly windowTokens: number;
  /** It is shown pictures. */
  readonly takesImages?: boolean;
}

/** The models of a gateway, each opened with the first turn that asks it. */
export class ModelShelf {
  readonly #providers: Readonly<Record<string, ModelProvider>>;
  readonly #open = new Map<string, Promise<OpenedModel>>();

  constructor(providers: Readonly<Record<string, ModelProvider>>) {
    this.#providers = providers;
  }

  /** Rejects with `ModelUnavailable`. One that could not be opened is tried again with the next call. */
  get(name: string): Promise<OpenedModel> {
    const found = this.#open.get(name);
    if (found !== undefined) return found;
    const opening = this.#openModel(name);
    this.#open.set(name, opening);
    opening.catch(() => this.#open.delete(name));
    return opening;
  }

  async #openModel(name: string): Promise<OpenedModel> {
    const parsed = parseModelName(name);
    const provider = Object.hasOwn(this.#providers, parsed.provider) ? this.#providers[parsed.provider] : undefined;
    if (provider === undefined) {
      const known = Object.keys(this.#providers).join(", ") || "none";
      throw new ModelUnavailable(name, `there is no provider ${parsed.provider}; providers are: ${known}`);
    }
    const windowTokens = provider.contextWindowTokens ?? USUAL_WINDOW_TOKENS;
    if (provider.kind === "anthropic") {
      if (parsed.model === undefined) throw new ModelUnavailable(name, "it names no model; write provider/model");
      return {
        name,
        windowTokens,
        takesImages: takesImages(provider, parsed.model),
        model: await openAnthropic(name, parsed.model, provider),
      };
    }
    const { baseUrl, apiKey } = provider;
    if (baseUrl === undefined)
      throw new ModelUnavailable(name, `providers.${parsed.provider}.baseUrl is missing; set it`);
    const model = parsed.model ?? (await findFirstModel(name, provider));
    const open = createOpenAICompatible({
      name: parsed.provider,
      baseURL: baseUrl,
      includeUsage: true,
      ...(apiKey === undefined ? {} : { apiKey }),
    });
    return {
      name: `${parsed.provider}/${model}`,
      windowTokens,
      takesImages: takesImages(provider, model),
      model: open(model),
    };
  }
}

/** Not installed with every gateway: it is an optional peer. */
async function openAnthropic(name: string, model: string, { baseUrl, apiKey }: ModelProvider): Promise<OpenModel> {
  const { createAnthropic } = await import("@ai-sdk/anthropic").catch((cause: unknown) => {
    throw new ModelUnavailable(name, "the package @ai-sdk/anthropic is not installed; install it next to banyan", {
      cause,
    });
  });
  // Both are said: the library would take what is missing from the environment, and send one server's key to another.
  return createAnthropic({ baseURL: baseUrl ?? ANTHROPIC_URL, apiKey: apiKey ?? "" })(model);
}
