import { BanyanError, type Config, type GatewayChannel, listPublicAgents } from "@banyan/core";
import type { AcpCommand } from "@banyan/plugin-sdk";
import { listOperatorChannels } from "./route-check.ts";

const RUNTIME = "acp";

/** The program of a foreign agent, and the agent's workspace. */
export interface ForeignCommand extends AcpCommand {
  readonly workspace: string;
}

/** Lists the programs that the foreign agents of a configuration are. */
export async function listForeignCommands({ agents }: Config): Promise<readonly ForeignCommand[]> {
  const foreign = Object.values(agents).filter(({ runtime, acp }) => runtime === RUNTIME && acp !== undefined);
  if (foreign.length === 0) return [];
  const { getAgentCommand } = await import("@banyan/runtime-acp/launch");
  return foreign.flatMap(({ acp, workspace }) =>
    acp === undefined ? [] : [{ ...getAgentCommand(acp.agent), workspace }],
  );
}

/**
 * Judges whether each foreign agent can keep its profile where people reach it, as its runtime judges at each turn. Rejects
 * with `config_invalid`, all that is wrong in one error.
 */
export async function refuseUnfitForeignAgents(
  config: Config,
  channels: readonly GatewayChannel[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const foreign = Object.entries(config.agents).filter(([, { runtime }]) => runtime === RUNTIME);
  if (foreign.length === 0) return;
  const { findLaunchRefusal } = await import("@banyan/runtime-acp/launch");
  const reached = listPublicAgents(config, { operatorOnly: listOperatorChannels(channels) });
  const problems = foreign.flatMap(([agentId, { acp: settings }]) => {
    if (settings === undefined) return [];
    const place = reached.get(agentId);
    const audience = place === undefined ? "known" : "anybody";
    const why = findLaunchRefusal({ agentId, settings, audience, env });
    return why === undefined ? [] : [`agents.${agentId}${place === undefined ? "" : `, by ${place}`}: ${why}`];
  });
  if (problems.length === 0) return;
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const lines = problems.map((problem) => `\n- ${problem}`).join("");
  throw new BanyanError("config_invalid", `checking the foreign agents: ${count}${lines}`);
}
