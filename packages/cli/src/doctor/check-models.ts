import type { Config } from "@banyan/core";
import { listModels } from "../models/list-models.ts";
import { buildErrorFinding, type Finding } from "./finding.ts";

/** Asks each provider whose models agents use for its list, which tells whether address, key and names are good. */
export async function checkModels(
  config: Pick<Config, "agents" | "providers" | "usualModel">,
): Promise<readonly Finding[]> {
  const named = new Set(Object.values(config.agents).flatMap((agent) => listUsed(agent, config.usualModel)));
  const findings = Object.keys(config.providers).map((name) => {
    const models = [...named].filter((model) => model === name || model.startsWith(`${name}/`));
    return models.length === 0 ? [] : checkProvider(name, models, config);
  });
  return (await Promise.all(findings)).flat();
}

function listUsed(
  { runtime, model, fallbackModels = [], subagents }: Config["agents"][string],
  usualModel: string | undefined,
): readonly string[] {
  if (runtime !== "ai") return [];
  return [model ?? usualModel, ...fallbackModels, subagents?.model].filter((name) => name !== undefined);
}

async function checkProvider(
  name: string,
  models: readonly string[],
  { providers }: Pick<Config, "providers">,
): Promise<readonly Finding[]> {
  const subject = `models/${name}`;
  const provider = providers[name];
  if (provider === undefined) return [];
  try {
    const listed = await listModels(provider);
    const missing = models
      .map((model) => model.slice(name.length + 1))
      .filter((model) => model !== "" && !listed.includes(model));
    const shown = listed.slice(0, 5).join(", ") || "none";
    return [
      { subject, level: "ok", text: `it answers, and agents ask ${models.join(", ")}` },
      ...missing.map((model) => ({
        subject,
        level: "warning" as const,
        text: `it does not list the model ${model}, but ${listed.length}: ${shown}${listed.length > 5 ? ", …" : ""}`,
        cure: "name one that it lists, if that one does not answer",
      })),
    ];
  } catch (error) {
    return [buildErrorFinding(subject, error)];
  }
}
