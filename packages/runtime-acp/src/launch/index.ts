import { decideLaunch, type LaunchQuestion } from "../agents/launch-plan.ts";

export { getAgentCommand } from "../agents/launch-plan.ts";

/** Why an agent would not be started for such an audience, as the end of an error's sentence; `undefined`: it would be. */
export function findLaunchRefusal(question: LaunchQuestion): string | undefined {
  const decision = decideLaunch(question);
  return decision.kind === "refused" ? decision.why : undefined;
}
