import type { AcpRecord } from "@banyan/plugin-sdk";
import type { AgentSession } from "../sessions/agent-session.ts";

/**
 * `lost`: the agent was at work on this very turn when it was cut off, and what it has done nobody knows: the turn cannot be
 * repeated. `told`: it is told the turn, with what it needs to know before.
 */
export type Reopening =
  | { readonly kind: "lost" }
  | {
      readonly kind: "told";
      /** It was at work on this very turn, in this session. */
      readonly wasCutOff: boolean;
      readonly needsInstructions: boolean;
      readonly needsHistory: boolean;
    };

/** What a turn has to do with what an earlier one left. Pure. */
export function decideReopening(
  kept: AcpRecord | undefined,
  { standing, knowledge }: Pick<AgentSession, "knowledge"> & { readonly standing: { readonly id: string } },
  turnId: string,
): Reopening {
  const wasUnderWay = kept?.turnId === turnId;
  const isKept = kept?.identity.agentSessionId === standing.id;
  if (knowledge === "joined") return tell({ needsInstructions: true });
  if (knowledge === "begun" || !isKept)
    return wasUnderWay ? { kind: "lost" } : tell({ needsInstructions: true, needsHistory: true });
  if (!wasUnderWay) return tell({});
  // What was to introduce it may not have reached it.
  const { introduction } = kept;
  const isIntroduction = introduction?.turnId === turnId;
  const needsHistory = isIntroduction && introduction.withHistory;
  return tell({ wasCutOff: true, needsInstructions: isIntroduction, needsHistory });
}

function tell(what: Partial<Extract<Reopening, { readonly kind: "told" }>>): Reopening {
  return { kind: "told", wasCutOff: false, needsInstructions: false, needsHistory: false, ...what };
}
