import { formatPlainLine, type SettledPairing } from "@banyan/core";
import { loadStateConfig } from "../gateway/load-gateway-config.ts";
import type { GlobalOptions } from "../global-options.ts";
import { operatePairing } from "../state/operate-pairing.ts";
import { writeJson, writeLines } from "../terminal/write-out.ts";

export interface PairSettleOptions extends GlobalOptions {
  readonly json?: boolean;
}

/** `banyan pair approve` and `banyan pair deny`. */
export async function pairSettle(
  operation: "approve" | "deny",
  target: string,
  options: PairSettleOptions,
): Promise<void> {
  const loaded = await loadStateConfig(options.config);
  const settled = await operatePairing(loaded, operation, target);
  if (options.json) return writeJson(settled);
  await writeLines([formatSettled(settled)]);
}

export function formatSettled({ channel, account, senderId, displayName, state }: SettledPairing): string {
  const id = formatPlainLine(senderId);
  const who = displayName === undefined ? id : `${JSON.stringify(formatPlainLine(displayName))} (${id})`;
  const target = `${channel}/${account}/${id}`;
  return state === "approved"
    ? `  ${who} is in on ${channel}/${account}; banyan pair deny ${target} removes this access`
    : `  ${who} stays out of ${channel}/${account}; banyan pair approve ${target} lets him in`;
}
