import { BanyanError, callGatewayInfo, callGatewayStatus, type GatewayInfo, type GatewayStatus } from "@banyan/core";

/** Where the gateway on the state directory is reached; `undefined`: none runs. */
export function findGateway(stateDir: string): Promise<GatewayInfo | undefined> {
  return orUndefined(callGatewayInfo(stateDir));
}

/** How the gateway on the state directory fares; `undefined`: none runs. */
export function findGatewayStatus(stateDir: string): Promise<GatewayStatus | undefined> {
  return orUndefined(callGatewayStatus(stateDir));
}

async function orUndefined<Answer>(call: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof BanyanError && error.code === "control_unavailable") return undefined;
    throw error;
  }
}
