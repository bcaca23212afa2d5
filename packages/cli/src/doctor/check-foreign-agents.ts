import type { Config, GatewayChannel } from "@banyan/core";
import { refuseUnfitForeignAgents } from "../gateway/foreign-agent-check.ts";
import { type Finding, listErrorFindings } from "./finding.ts";

/** What a start would refuse of the agents that are programs of their own. */
export async function checkForeignAgents(
  config: Config,
  channels: readonly GatewayChannel[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  try {
    await refuseUnfitForeignAgents(config, channels, env);
    return [];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return listErrorFindings("agents", error);
  }
}
