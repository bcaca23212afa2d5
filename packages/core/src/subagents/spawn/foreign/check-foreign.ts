import { type AcpRecord, type AcpSettings, nameAcpAgent } from "@banyan/plugin-sdk";
import { ACP_RUNTIME } from "../../../config/shapes/acp-config.ts";
import { formatReceivedValue } from "../../../sessions/keys/received-value.ts";
import type { SpawnCase } from "../spawn-case.ts";
import { refuseSpawn, type SpawnRefusal } from "../spawn-refusal.ts";
import type { ForeignSession } from "./foreign-session.ts";

const CURE = "leave resumeSessionId out";

/** For stage 1: what resumeSessionId goes with. */
export function checkResumeArguments({ request }: Pick<SpawnCase, "request">): SpawnRefusal | undefined {
  if (request.resumeSessionId === undefined) return undefined;
  if (request.runtime !== ACP_RUNTIME)
    return refuseUnfit(
      `resumeSessionId is for a foreign agent, received no runtime "${ACP_RUNTIME}"; add it, or ${CURE}`,
    );
  if (request.context !== "fork") return undefined;
  return refuseUnfit(
    `a session is gone on with or copied, received resumeSessionId with context "fork"; give one of them`,
  );
}

/** Whether the child may go on with the session that is asked for. Behind the list of agents that may be spawned. */
export function checkForeignSession({ request, facts, target, targetId }: SpawnCase): SpawnRefusal | undefined {
  const { resumeSessionId } = request;
  if (resumeSessionId === undefined) return undefined;
  const found = facts.foreignSession;
  // The same answer for one of another tree as for one that is nowhere.
  if (found === undefined) {
    const received = formatReceivedValue(resumeSessionId);
    const cure = `use the id that session_status names as acp.sessionId of a sub-agent, or ${CURE}`;
    return refuseSpawn(
      "error",
      "resume_unknown",
      `no sub-agent of this conversation has that session, received ${received}; ${cure}`,
    );
  }
  const { holder, kept } = found;
  if (holder.agentId !== targetId || !isOfSettings(kept, target?.acp)) {
    const asked = target?.acp === undefined ? "another program" : nameProfile(target.acp);
    const was = `the agent ${holder.agentId} (${kept.agent}, profile ${kept.runtimeOptions.profile})`;
    return refuseUnfit(
      `the session is one of ${was}, received the agent ${targetId} (${asked}); name that agent, or ${CURE}`,
    );
  }
  if (kept.abilities?.canTakeUp === false)
    return refuseUnfit(`the program ${kept.agent} takes no session up again, received the id of one; ${CURE}`);
  return found.use === undefined ? undefined : refuseUse(found, found.use);
}

/** The same program under the same profile. */
export function isOfSettings({ agent, runtimeOptions }: AcpRecord, settings: AcpSettings | undefined): boolean {
  if (settings === undefined) return false;
  return agent === nameAcpAgent(settings.agent) && runtimeOptions.profile === (settings.profile ?? "ask");
}

function nameProfile({ agent, profile = "ask" }: AcpSettings): string {
  return `${nameAcpAgent(agent)}, profile ${profile}`;
}

function refuseUse({ holder }: ForeignSession, use: NonNullable<ForeignSession["use"]>): SpawnRefusal {
  const why = {
    turn: "works in it or is about to",
    run: "has not ended",
    thread: "has a thread in which people write to it",
  }[use];
  const cure = use === "thread" ? "tell it by subagents send" : "wait until it is done, or tell it by subagents send";
  return refuseSpawn("error", "resume_busy", `the session is in use: ${holder.key} ${why}; ${cure}`);
}

function refuseUnfit(problem: string): SpawnRefusal {
  return refuseSpawn("error", "resume_unfit", problem);
}
