import { THINKING_LEVELS } from "../../../config/shapes/thinking-level.ts";
import { formatReceivedValue } from "../../../sessions/keys/received-value.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 11: what is asked, else what the child's agent is configured with; `undefined`: its runtime chooses. */
export function resolveThinking({
  request,
  targetRules,
}: Pick<SpawnCase, "request" | "targetRules">): string | undefined {
  return request.thinking ?? targetRules.thinking;
}

/** For stage 1. */
export function checkThinking(spawn: SpawnCase): SpawnRefusal | undefined {
  const thinking = resolveThinking(spawn);
  if (thinking === undefined || THINKING_LEVELS.some((level) => level === thinking)) return undefined;
  const problem = `thinking is unknown, received ${formatReceivedValue(thinking)}; use one of ${THINKING_LEVELS.join(", ")}`;
  return refuseSpawn("error", "thinking_unknown", problem);
}
