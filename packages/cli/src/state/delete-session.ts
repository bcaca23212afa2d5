import { BanyanError, type Config, callGatewaySessionDelete, type DeletedSession } from "@banyan/core";
import { findGateway } from "./find-gateway.ts";

/** Through the gateway on the state directory: whom the end of its work is told can only be written by one. */
export async function deleteSession({ stateDir }: Config, key: string): Promise<DeletedSession> {
  if ((await findGateway(stateDir)) !== undefined) return callGatewaySessionDelete(stateDir, key);
  throw new BanyanError(
    "control_unavailable",
    `deleting ${key}: no gateway runs on ${stateDir}, and what works for the session ends in one; start it with banyan start, then delete again`,
  );
}
