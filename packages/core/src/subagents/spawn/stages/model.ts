import { formatReceivedValue } from "../../../sessions/keys/received-value.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 10: what is asked, else what the child's agent is configured with; `undefined`: its runtime chooses. */
export function resolveModel({ request, targetRules }: Pick<SpawnCase, "request" | "targetRules">): string | undefined {
  return request.model ?? targetRules.model;
}

/** For stage 1. An agent that is not configured has no runtime to ask; the allow-list refuses it. */
export function checkModel(spawn: SpawnCase): SpawnRefusal | undefined {
  const { target, targetId, facts } = spawn;
  const model = resolveModel(spawn);
  if (model === undefined || target === undefined) return undefined;
  const listed = Object.hasOwn(facts.models, targetId) ? (facts.models[targetId] ?? []) : [];
  if (listed.includes(model)) return undefined;
  const cure = listed.length === 0 ? "it has no choice of models: leave model out" : `use one of ${listed.join(", ")}`;
  const received = formatReceivedValue(model);
  const problem = `the runtime of the agent ${targetId} does not list the model, received ${received}; ${cure}`;
  return refuseSpawn("error", "model_unknown", problem);
}
