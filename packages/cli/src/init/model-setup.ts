import { KNOWN_PROVIDERS } from "../gateway/known-providers.ts";
import { listModels, type ProviderAddress } from "../models/list-models.ts";

/** The model that `banyan init` gives to the agent `main`. */
export interface ModelSetup {
  /** As in `openai/gpt-5-mini`. */
  readonly model: string;
  readonly provider: string;
  readonly variables: readonly SetupVariable[];
}

/** A variable that the configuration takes a value from. */
export interface SetupVariable {
  readonly variable: string;
  /** Of the provider. */
  readonly key: "apiKey" | "baseUrl";
  readonly value: string;
  /** It was set where init ran, so it is not written down once more. */
  readonly isFromEnvironment: boolean;
}

/** What somebody gives: a key, the address of a server of his own, or both. */
export interface GivenModel {
  readonly key?: string | undefined;
  readonly url?: string | undefined;
}

/** Anthropic's keys say so; everything else is a key of OpenAI or of whoever speaks as it does. */
const ANTHROPIC_KEY = /^sk-ant-/u;

/** Which provider and variables hold what was given. Pure. */
export function buildModelSetup({ key, url }: GivenModel): Omit<ModelSetup, "model"> {
  const provider = url === undefined && key !== undefined && ANTHROPIC_KEY.test(key) ? "anthropic" : "openai";
  const variables = KNOWN_PROVIDERS.find(({ name }) => name === provider)?.variables ?? {};
  const given = { apiKey: key, baseUrl: url };
  return {
    provider,
    variables: Object.entries(variables).flatMap(([variable, name]) => {
      const value = given[name];
      return value === undefined ? [] : [{ variable, key: name, value, isFromEnvironment: false }];
    }),
  };
}

/** What the environment has of a provider's variables; `undefined`: nothing. Pure. */
export function findModelInEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Omit<ModelSetup, "model"> | undefined {
  for (const { name: provider, variables } of KNOWN_PROVIDERS) {
    const found = Object.entries(variables).flatMap(([variable, key]) => {
      const value = env[variable]?.trim() ?? "";
      return value === "" ? [] : [{ variable, key, value, isFromEnvironment: true }];
    });
    if (found.length > 0) return { provider, variables: found };
  }
  return undefined;
}

/**
 * The models to choose from, the usual one first. Asks the provider where that is wanted, which also proves address and key;
 * throws its sentence.
 */
export async function listChoices(setup: Omit<ModelSetup, "model">, isChecked: boolean): Promise<readonly string[]> {
  const known = KNOWN_PROVIDERS.find(({ name }) => name === setup.provider);
  if (known === undefined) return [];
  const own = setup.variables.find(({ key }) => key === "baseUrl")?.value;
  const usual = own === undefined ? [known.usualModel] : [];
  if (!isChecked) return usual;
  const address: ProviderAddress = {
    kind: known.kind,
    baseUrl: own ?? known.baseUrl,
    apiKey: setup.variables.find(({ key }) => key === "apiKey")?.value,
  };
  return [...new Set([...usual, ...(await listModels(address))])];
}
