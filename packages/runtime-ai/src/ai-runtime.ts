import type { AgentRuntime, SessionSpec } from "@banyan/plugin-sdk";
import { createRunHandle, createSingleRunSession } from "@banyan/plugin-sdk/runtime";
import type { ModelProvider } from "./models/model-provider.ts";
import { ModelShelf, type OpenedModel } from "./models/model-shelf.ts";
import { formatTurnMessage, isAmongSeveral } from "./prompt/turn-words.ts";
import { answerTurn } from "./turn/answer-turn.ts";
import { SteeredMessages } from "./turn/steered-messages.ts";

export interface AiRuntimeOptions {
  /** By the names that models begin with. */
  readonly providers: Readonly<Record<string, ModelProvider>>;
  /** `provider/model`, or a provider alone: asked by agents that name none. */
  readonly defaultModel?: string | undefined;
  /** What `models()` lists: those that stand in the configuration. */
  readonly models?: readonly string[];
  /** Opens a model by its name in place of the providers. */
  readonly getModel?: (name: string) => Promise<OpenedModel>;
  /** From 0 to below 1, for the waits between tries. */
  readonly random?: () => number;
}

/** Agents that are language models. The core gives transcript and tools; nothing of a session is kept here between turns. */
export function createAiRuntime(options: AiRuntimeOptions): AgentRuntime {
  const shelf = new ModelShelf(options.providers);
  const getModel = options.getModel ?? ((name: string) => shelf.get(name));
  return {
    id: "ai",
    capabilities: {
      steer: "receipt",
      resume: false,
      fork: false,
      history: "core",
      tools: "direct",
      permissions: false,
      usage: true,
    },
    models: async () => options.models ?? [],
    async open(spec, host, signal) {
      signal.throwIfAborted();
      const models = listModels(spec, options.defaultModel);
      return createSingleRunSession((input) => {
        const isNamed = isAmongSeveral(spec.sessionKey);
        const steered = new SteeredMessages((message) => formatTurnMessage(message, isNamed));
        const stage = { spec, host, steered, models, getModel, random: options.random ?? Math.random };
        return createRunHandle(input, (live) => answerTurn(live, stage), {
          log: host.log,
          firstOrdinal: input.committedCalls.length,
          steer: (message) => steered.offer(message),
          onEnd: () => steered.close(),
        });
      });
    },
  };
}

function listModels({ agentId, model, fallbackModels = [] }: SessionSpec, defaultModel: string | undefined) {
  const first = model ?? defaultModel;
  if (first === undefined)
    throw new Error(`A model was chosen for the agent ${agentId}: none is named; set agents.${agentId}.model`);
  return [first, ...fallbackModels.filter((name) => name !== first)];
}
