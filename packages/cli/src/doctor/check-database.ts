import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Config, GatewayInfo } from "@banyan/core";
import { StoreError } from "@banyan/store";
import { SilentGateway } from "../state/find-gateway.ts";
import { DATABASE_FILE } from "../state/read-state.ts";
import { formatBytes } from "../terminal/byte-size.ts";
import { buildErrorFinding, type Finding } from "./finding.ts";

const SUBJECT = "database";

/** The database can be read by this version, is not damaged, and only a gateway that responds writes it. */
export async function checkDatabase(
  { stateDir, store }: Config,
  gateway: GatewayInfo | SilentGateway | undefined,
): Promise<readonly Finding[]> {
  if (store.driver === "memory") {
    const text = "memory: everything is forgotten when the gateway ends";
    return [{ subject: SUBJECT, level: "warning", text, cure: 'set store.driver to "sqlite" to keep it' }];
  }
  const { findSqliteDamage, findStoreLoss, formatRestoreCure, openSqliteReader } = await import("@banyan/store-sqlite");
  const file = join(stateDir, DATABASE_FILE);
  try {
    const loss = gateway === undefined ? findStoreLoss(stateDir) : undefined;
    if (loss !== undefined) return [buildErrorFinding(SUBJECT, new Error(loss))];
    if (!existsSync(file)) return [{ subject: SUBJECT, level: "ok", text: "made at the first start" }];
    openSqliteReader(stateDir).close();
    const damage = findSqliteDamage(stateDir);
    if (damage !== undefined) {
      const cure = `stop the gateway; ${formatRestoreCure(stateDir)}`;
      return [{ subject: SUBJECT, level: "error", text: `it is damaged: ${damage}`, cure }];
    }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return [buildErrorFinding(SUBJECT, error)];
  }
  const size = formatBytes(statSync(file).size);
  if (gateway instanceof SilentGateway) return [buildErrorFinding(SUBJECT, gateway)];
  const writer = gateway === undefined ? "no gateway runs" : `written by the gateway (process ${gateway.pid})`;
  return [{ subject: SUBJECT, level: "ok", text: `${size}, ${writer}` }];
}
