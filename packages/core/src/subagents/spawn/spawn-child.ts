import { commitPatiently } from "../../ports/commit-step.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { prepareSpawn } from "./prepare-spawn.ts";
import type { SpawnAsker } from "./spawn-asker.ts";
import type { SpawnAnswer } from "./spawn-draft.ts";

/**
 * Spawns by a step of its own: the way of the tool. The same call never spawns twice; one that was aborted while places
 * were opened spawns nothing, since its turn has been told that it failed.
 */
export async function spawnChild(args: unknown, asker: SpawnAsker, parts: SubagentParts): Promise<SpawnAnswer> {
  const prepared = await prepareSpawn(args, asker, parts);
  if (prepared.kind === "answered") return prepared.answer;
  const { store, ports, signal } = parts;
  // The turn was told that this failed, so it must not come true behind its back.
  if (asker.signal?.aborted) {
    await prepared.undo();
    const error = "Spawning a sub-agent: the turn was stopped before it was open; spawn it again if it is still wanted";
    return { status: "error", code: "stopped", error };
  }
  ports.faultPoint("T1.before");
  const accepted = await commitPatiently(store, { step: "accept_run", ...prepared.accept }, ports, signal);
  ports.faultPoint("T1.after");
  if (accepted.status === "refused") {
    await prepared.undo();
    const error = `Spawning a sub-agent: what asked for it ended meanwhile (${accepted.reason}); end your turn`;
    return { status: "error", code: "requester_ended", error };
  }
  if (prepared.accept.binding !== undefined) await parts.refreshRoutes();
  prepared.onAccepted();
  ports.faultPoint("spawned");
  return prepared.answer;
}
