import { BanyanError, type Config, callGatewayRunKill, type KilledRun, type RunRecord } from "@banyan/core";
import { findGateway } from "./find-gateway.ts";

/**
 * Ends a run through the gateway on the state directory. Without one nothing of the run is under way, and what it owes
 * can only be written by a gateway: the caller is told so by `control_unavailable`.
 */
export async function killRun({ stateDir }: Config, { runId, name }: RunRecord): Promise<KilledRun> {
  if ((await findGateway(stateDir)) !== undefined) return callGatewayRunKill(stateDir, runId);
  throw new BanyanError(
    "control_unavailable",
    `stopping ${JSON.stringify(name)}: no gateway runs on ${stateDir}, so nothing of it is at work now; the next banyan start goes on with it, then banyan runs kill ${runId.slice(0, 8)} ends it`,
  );
}
