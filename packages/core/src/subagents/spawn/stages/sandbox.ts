import { isWithinRoots, listWorkspaceRoots, refuseOutside, resolveChildWorkspaceDir } from "../child-workspace.ts";
import { decideSandbox } from "../sandbox-lattice.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";

/** Stage 7: where a child may work, and that it is no freer there than its parent. */
export function checkSandbox(spawn: SpawnCase): SpawnRefusal | undefined {
  return checkWorkspace(spawn) ?? checkLevel(spawn);
}

/** As it is written; what its links lead to, only the disk can tell. */
function checkWorkspace(spawn: SpawnCase): SpawnRefusal | undefined {
  return isWithinRoots(resolveChildWorkspaceDir(spawn), listWorkspaceRoots(spawn)) ? undefined : refuseOutside();
}

function checkLevel({ request, facts, targetId, targetRules }: SpawnCase): SpawnRefusal | undefined {
  const { sandbox: parent } = facts.requester;
  const target = targetRules.sandbox;
  const decision = decideSandbox({ parent, target, request: request.sandbox ?? "inherit" });
  if (decision.kind === "below_parent") {
    const problem = `the agent ${targetId} runs with sandbox ${target}, which is less than this session's ${parent}; use an agent with at least ${parent}`;
    return refuseSpawn("forbidden", "sandbox_lower", problem);
  }
  if (decision.kind === "allowed") return undefined;
  const problem = `a sandbox is required, and the agent ${targetId} runs with none; use another agent, or leave sandbox out`;
  return refuseSpawn("forbidden", "sandbox_required", problem);
}
