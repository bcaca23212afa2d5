import type { SessionSpec } from "@banyan/plugin-sdk";
import type { TurnAgent, TurnChannel, TurnTools } from "./turn-parts.ts";

/** What a runtime is told of the session whose turn it is to run. */
export function buildSessionSpec(
  {
    agent,
    sessionKey,
    sessionId,
    channel,
  }: {
    readonly agent: TurnAgent;
    readonly sessionKey: string;
    readonly sessionId: string;
    readonly channel: Pick<TurnChannel, "audience">;
  },
  { tools }: { readonly tools: Pick<TurnTools, "describe"> },
): SessionSpec {
  const { instructions, model, fallbackModels, thinking, acp } = agent;
  return {
    sessionKey,
    sessionId,
    agentId: agent.id,
    workspaceDir: agent.workspaceDir,
    tools: tools.describe(agent),
    audience: channel.audience,
    ...(instructions === undefined ? {} : { instructions }),
    ...(model === undefined ? {} : { model }),
    ...(fallbackModels === undefined ? {} : { fallbackModels }),
    ...(thinking === undefined ? {} : { thinking }),
    ...(acp === undefined ? {} : { acp }),
  };
}
