import { THINKING_LEVELS } from "../../../config/shapes/thinking-level.ts";
import { isPlainName } from "../../../sessions/keys/plain-name.ts";
import { formatReceivedValue } from "../../../sessions/keys/received-value.ts";
import { isRunMode } from "../resolve-spawn-mode.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

type Answer = SpawnRefusal | undefined;

/** Parameters whose feature is not there yet. */
export function checkLaterFeature({ request }: SpawnCase): Answer {
  const { runtime, resumeSessionId, lightContext } = request;
  if (runtime === "acp") return refuseLater("the acp runtime comes later", "leave runtime out");
  if (resumeSessionId !== undefined)
    return refuseLater("resumeSessionId comes with the acp runtime", "leave resumeSessionId out");
  if (lightContext === true) return refuseLater("lightContext comes with the ai runtime", "leave lightContext out");
  return undefined;
}

export function checkAgentId({ request: { agentId } }: SpawnCase): Answer {
  if (agentId === undefined || isPlainName(agentId)) return undefined;
  const received = formatReceivedValue(agentId);
  const cure = "use an id that agents_list names, or leave agentId out for this agent";
  return refuseSpawn("error", "agent_id_invalid", `agentId is not the id of an agent, received ${received}; ${cure}`);
}

export function checkAgentIdRequired({ request, rules }: SpawnCase): Answer {
  if (request.agentId !== undefined || !rules.requireAgentId) return undefined;
  const problem = "agentId is missing, and this agent has to name one each time; agents_list names them";
  return refuseSpawn("forbidden", "agent_id_required", problem);
}

export function checkMode({ request, mode }: SpawnCase): Answer {
  if (request.mode !== undefined && !isRunMode(request.mode)) {
    const received = formatReceivedValue(request.mode);
    return refuseSpawn("error", "mode_unknown", `mode is unknown, received ${received}; use run or session`);
  }
  if (mode !== "session" || request.thread === true) return undefined;
  const problem = "mode session needs a thread in which people write to it; add thread: true, or use mode run";
  return refuseSpawn("error", "mode_needs_thread", problem);
}

export function checkThinking({ thinking }: SpawnCase): Answer {
  if (thinking === undefined || THINKING_LEVELS.some((level) => level === thinking)) return undefined;
  const problem = `thinking is unknown, received ${formatReceivedValue(thinking)}; use one of ${THINKING_LEVELS.join(", ")}`;
  return refuseSpawn("error", "thinking_unknown", problem);
}

/** An agent that is not configured has no runtime to ask; the allow-list refuses it. */
export function checkModel({ model, target, targetId, facts }: SpawnCase): Answer {
  if (model === undefined || target === undefined) return undefined;
  const listed = Object.hasOwn(facts.models, targetId) ? (facts.models[targetId] ?? []) : [];
  if (listed.includes(model)) return undefined;
  const cure = listed.length === 0 ? "it has no choice of models: leave model out" : `use one of ${listed.join(", ")}`;
  const received = formatReceivedValue(model);
  const problem = `the runtime of the agent ${targetId} does not list the model, received ${received}; ${cure}`;
  return refuseSpawn("error", "model_unknown", problem);
}

export function checkAttachmentShape({ attachments }: SpawnCase): Answer {
  return attachments.kind === "ok" ? undefined : refuseSpawn("error", attachments.code, attachments.problem);
}

function refuseLater(feature: string, cure: string): SpawnRefusal {
  return refuseSpawn("error", "not_there_yet", `not there yet: ${feature}; ${cure}`);
}
