import { findExposedPath, formatExposure, type LoadedConfig, listSecretFiles } from "@banyan/core";
import { createHostCode } from "../gateway/host-code.ts";
import type { Finding } from "./finding.ts";

/** Names the agents whose programs will be refused, because their workspace holds a part of the gateway. */
export async function checkWorkspaces(
  loaded: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly Finding[]> {
  const { agents, stateDir } = loaded.config;
  const runners = Object.entries(agents).filter(([, { tools }]) => tools.exec === true);
  if (runners.length === 0) return [];
  const listHostCode = await createHostCode(loaded, env);
  const own = [stateDir, ...listSecretFiles(loaded), ...listHostCode()];
  const findings: Finding[] = [];
  for (const [agentId, { workspace }] of runners) {
    const found = await findExposedPath(workspace, own);
    if (found === undefined) continue;
    findings.push({
      subject: `agents/${agentId}`,
      level: "warning",
      text: `exec is refused: the workspace ${workspace} ${formatExposure(found)}`,
      cure: `set agents.${agentId}.workspace to a separate folder, such as "./workspace"`,
    });
  }
  return findings;
}
