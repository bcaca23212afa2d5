import { z } from "zod";
import { callControl } from "./control/control-client.ts";
import type { DeletedSession } from "./control/delete-session.ts";
import type { AddedLink, RemovedLink } from "./control/operate-links.ts";
import type { KilledRun } from "./control/operate-runs.ts";
import type { RekeyedSession } from "./control/operate-sessions.ts";

/** Loose: the gateway that answers may be of another version. */
const AddedResult: z.ZodType<AddedLink> = z.looseObject({
  person: z.string(),
  accounts: z.array(z.string()),
  isOld: z.boolean(),
});

const RemovedResult: z.ZodType<RemovedLink> = z.looseObject({
  account: z.string(),
  person: z.string(),
  goesOnAs: z.string().exactOptional(),
  alone: z.string().exactOptional(),
});

const RekeyedResult: z.ZodType<RekeyedSession> = z.looseObject({
  from: z.string(),
  to: z.string(),
  sessionId: z.string(),
});

const KilledResult: z.ZodType<KilledRun> = z.looseObject({ runId: z.string(), killed: z.array(z.string()) });

const DeletedResult: z.ZodType<DeletedSession> = z.looseObject({
  key: z.string(),
  sessionId: z.string(),
  killed: z.array(z.string()),
});

/** `LinkOperations.add` of the gateway on a state directory. Throws as `callControl`; so do those below. */
export async function callGatewayLinkAdd(
  stateDir: string,
  accounts: readonly string[],
  name: string | undefined,
): Promise<AddedLink> {
  const args = { accounts, ...(name === undefined ? {} : { name }) };
  return AddedResult.parse(await callControl(stateDir, "link-add", args));
}

/** `LinkOperations.remove` there. */
export async function callGatewayLinkRemove(stateDir: string, account: string): Promise<RemovedLink> {
  return RemovedResult.parse(await callControl(stateDir, "link-remove", { account }));
}

/** `SessionOperations.rekey` there. */
export async function callGatewayRekey(
  stateDir: string,
  rekey: { readonly from: string; readonly to: string; readonly acceptShared: boolean },
): Promise<RekeyedSession> {
  return RekeyedResult.parse(await callControl(stateDir, "sessions-rekey", rekey));
}

/** `deleteSession` there. */
export async function callGatewaySessionDelete(stateDir: string, key: string): Promise<DeletedSession> {
  return DeletedResult.parse(await callControl(stateDir, "sessions-delete", { key }));
}

/** `RunOperations.kill` there. */
export async function callGatewayRunKill(stateDir: string, runId: string): Promise<KilledRun> {
  return KilledResult.parse(await callControl(stateDir, "run-kill", { runId }));
}
