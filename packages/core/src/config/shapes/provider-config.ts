import { buildRecord, type ProviderConfig } from "../config.ts";
import { type ConfigProblem, formatReceived } from "../problems/config-problem.ts";
import { findNearestWord } from "../problems/nearest-word.ts";
import type { ProviderVariables } from "../sources/provider-environment.ts";
import type { AgentInput } from "./define-config.ts";
import type { ProviderInput } from "./provider-input.ts";

const PROVIDER_NAME = /^[a-z][a-z0-9-]{0,31}$/u;

export interface BuiltProviders {
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  readonly problems: readonly ConfigProblem[];
}

/** Builds the providers of models; one that the host knows needs no kind and no address. */
export function buildProviders(
  input: Readonly<Record<string, ProviderInput>>,
  known: readonly ProviderVariables[],
): BuiltProviders {
  const entries = Object.entries(input).map(([name, given]) => {
    const usual = known.find((one) => one.name === name);
    const kind = given.kind ?? usual?.kind ?? "openai-compatible";
    const baseUrl = given.baseUrl ?? (kind === usual?.kind ? usual.baseUrl : undefined);
    const { apiKey, contextWindow, images, models = [] } = given;
    return [name, { kind, baseUrl, apiKey, contextWindow, images, models }] as const;
  });
  return { providers: buildRecord(entries), problems: entries.flatMap(([name, built]) => checkProvider(name, built)) };
}

function checkProvider(name: string, { kind, baseUrl }: ProviderConfig): readonly ConfigProblem[] {
  const path = ["providers", name];
  if (!PROVIDER_NAME.test(name))
    return [{ path, wrong: "not a valid provider name", received: formatReceived(name), cure: "use a-z, 0-9 and -" }];
  if (kind === "anthropic" || baseUrl !== undefined) return [];
  const cure = "set it, such as http://127.0.0.1:11434/v1";
  return [{ path: [...path, "baseUrl"], wrong: "needed to reach its models", cure }];
}

/** Where models may be asked. */
export interface ModelPlaces {
  readonly providers: Readonly<Record<string, ProviderConfig>>;
  /** Those that variables alone can give. */
  readonly knownProviders: readonly ProviderVariables[];
}

/** Each model of an agent names a provider that there is. */
export function checkModels(id: string, agent: AgentInput, places: ModelPlaces): readonly ConfigProblem[] {
  const named: readonly (readonly [readonly (string | number)[], string | undefined])[] = [
    [["model"], agent.model],
    ...(agent.fallbackModels ?? []).map((name, at) => [["fallbackModels", at], name] as const),
    [["subagents", "model"], agent.subagents?.model],
  ];
  return named.flatMap(([key, name]) =>
    name === undefined ? [] : checkModelName(["agents", id, ...key], name, places),
  );
}

/** It names a provider that there is. */
export function checkModelName(
  path: readonly (string | number)[],
  name: string,
  { providers, knownProviders }: ModelPlaces,
): readonly ConfigProblem[] {
  const [provider = "", ...model] = name.split("/");
  const received = formatReceived(name);
  if (model.join("/") === "")
    return [{ path, wrong: "not a valid model name", received, cure: 'write "provider/model"' }];
  if (Object.hasOwn(providers, provider)) return [];
  const cure = formatProviderCure(provider, { providers, knownProviders });
  return [{ path, wrong: "no such model provider", received, cure }];
}

function formatProviderCure(provider: string, { providers, knownProviders }: ModelPlaces): string {
  const known = knownProviders.find(({ name }) => name === provider);
  if (known !== undefined) return `set ${Object.keys(known.variables).join(" or ")}`;
  const nearest = findNearestWord(provider, Object.keys(providers));
  return nearest === undefined ? `name the provider under providers.${provider}` : `did you mean "${nearest}"?`;
}
