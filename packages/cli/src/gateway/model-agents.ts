import { type AgentConfig, type Config, listQueueModels } from "@banyan/core";
import type { AgentRuntime } from "@banyan/plugin-sdk";

type Models = Pick<Config, "agents" | "providers" | "queue" | "usualModel">;

/** Imports the models' library, which only an agent that has a model is to pay for. */
export async function openModelRuntime(config: Models): Promise<AgentRuntime> {
  const { createAiRuntime } = await import("@banyan/runtime-ai");
  const providers = Object.entries(config.providers).map(([name, { contextWindow, ...provider }]) => [
    name,
    { ...provider, contextWindowTokens: contextWindow },
  ]);
  return createAiRuntime({
    providers: Object.fromEntries(providers),
    defaultModel: config.usualModel,
    models: listModels(config),
  });
}

/** Every model that the configuration names: what a sub-agent may be given, and a turn behind one that was cut off. */
function listModels({ agents, providers, queue, usualModel }: Models): readonly string[] {
  const named = Object.values(agents).flatMap(({ model, fallbackModels = [], subagents }) => [
    ...(model === undefined ? [] : [model]),
    ...fallbackModels,
    ...(subagents?.model === undefined ? [] : [subagents.model]),
  ]);
  const further = Object.entries(providers).flatMap(([name, { models }]) => models.map((model) => `${name}/${model}`));
  return [
    ...new Set([
      ...(usualModel === undefined ? [] : [usualModel]),
      ...named,
      ...further,
      ...listQueueModels(queue).map(({ model }) => model),
    ]),
  ];
}

/** What an agent answers with, as a start says it. */
export function describeAgent(
  { runtime, model, acp }: AgentConfig,
  { providers, usualModel }: Pick<Models, "providers" | "usualModel">,
): string {
  if (runtime === "demo") {
    const cure = usualModel === undefined ? ". Set OPENAI_API_KEY or ANTHROPIC_API_KEY for a real one" : "";
    return `demo: a built-in program, not a language model${cure}`;
  }
  if (runtime === "acp" && acp !== undefined) {
    return `acp: the program ${typeof acp.agent === "string" ? acp.agent : acp.agent.command}`;
  }
  if (runtime !== "ai") return runtime;
  const name = model ?? usualModel ?? "";
  const { baseUrl } = providers[name.split("/")[0] ?? ""] ?? {};
  const shown = name.includes("/") ? name : `the first model of ${name}`;
  return `ai: ${shown}${baseUrl === undefined ? "" : ` at ${formatPlace(baseUrl)}`}`;
}

/** Without what may be a secret in an address. */
function formatPlace(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${origin}${pathname === "/" ? "" : pathname}`;
}
