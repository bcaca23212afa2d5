import { ACP_RUNTIME } from "../../../config/shapes/acp-config.ts";
import { isPlainName } from "../../../sessions/keys/plain-name.ts";
import { formatReceivedValue } from "../../../sessions/keys/received-value.ts";
import { checkResumeArguments } from "../foreign/check-foreign.ts";
import { isRunMode } from "../resolve-spawn-mode.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";
import { checkModel } from "./model.ts";
import { checkThinking } from "./thinking.ts";

type Answer = SpawnRefusal | undefined;

/** Stage 1: what the parameters mean here, in the order in which they are refused. Their form was right before. */
export function validateParameters(spawn: SpawnCase): Answer {
  return (
    checkLaterFeature(spawn) ??
    checkAgentId(spawn) ??
    checkAgentIdRequired(spawn) ??
    checkRuntime(spawn) ??
    checkResumeArguments(spawn) ??
    checkMode(spawn) ??
    checkThinking(spawn) ??
    checkModel(spawn) ??
    checkAttachments(spawn)
  );
}

/** Parameters whose feature is not there yet. */
function checkLaterFeature({ request }: SpawnCase): Answer {
  if (request.lightContext === true)
    return refuseLater("lightContext comes with the context layers", "leave lightContext out");
  return undefined;
}

function checkAgentId({ request: { agentId } }: SpawnCase): Answer {
  if (agentId === undefined || isPlainName(agentId)) return undefined;
  const received = formatReceivedValue(agentId);
  const cure = "use an id that agents_list names, or leave agentId out for this agent";
  return refuseSpawn("error", "agent_id_invalid", `agentId is not the id of an agent, received ${received}; ${cure}`);
}

function checkAgentIdRequired({ request, rules }: SpawnCase): Answer {
  if (request.agentId !== undefined || !rules.requireAgentId) return undefined;
  const problem = "agentId is missing, and this agent has to name one each time; agents_list names them";
  return refuseSpawn("forbidden", "agent_id_required", problem);
}

/** An agent that is not configured has no runtime; the allow-list refuses it. */
function checkRuntime({ request, target, targetId, facts }: SpawnCase): Answer {
  if (request.runtime !== ACP_RUNTIME || target === undefined || target.runtime === ACP_RUNTIME) return undefined;
  const fit = Object.keys(facts.agents).filter((id) => facts.agents[id]?.runtime === ACP_RUNTIME);
  const cure = fit.length === 0 ? "leave runtime out" : `leave runtime out, or name one that is: ${fit.join(", ")}`;
  const problem = `the agent ${targetId} is no foreign agent, received runtime "${ACP_RUNTIME}"; ${cure}`;
  return refuseSpawn("error", "runtime_unfit", problem);
}

function checkMode({ request, mode }: SpawnCase): Answer {
  if (request.mode !== undefined && !isRunMode(request.mode)) {
    const received = formatReceivedValue(request.mode);
    return refuseSpawn("error", "mode_unknown", `mode is unknown, received ${received}; use run or session`);
  }
  if (mode !== "session" || request.thread === true) return undefined;
  const problem = "mode session needs a thread in which people write to it; add thread: true, or use mode run";
  return refuseSpawn("error", "mode_needs_thread", problem);
}

function checkAttachments({ attachments }: SpawnCase): Answer {
  return attachments.kind === "ok" ? undefined : refuseSpawn("error", attachments.code, attachments.problem);
}

function refuseLater(feature: string, cure: string): SpawnRefusal {
  return refuseSpawn("error", "not_there_yet", `not there yet: ${feature}; ${cure}`);
}
