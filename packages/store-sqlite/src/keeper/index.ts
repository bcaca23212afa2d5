import { parentPort, workerData } from "node:worker_threads";
import { formatCause } from "../database/sqlite-error.ts";
import { loadFaultPoint } from "../worker/fault-point-module.ts";
import { writeBackup } from "./backup.ts";
import type { FromKeeper, KeeperErrand } from "./keeper-message.ts";
import { checkFile } from "./quick-check.ts";

/** The thread that looks after the file: what may take seconds and must hold up neither steps nor the layout. */
async function run(errand: KeeperErrand): Promise<FromKeeper> {
  if (errand.errand === "check") return checkFile(errand.stateDir);
  const module = await loadFaultPoint(errand.faultPointModule);
  return {
    type: "backed_up",
    path: await writeBackup(errand.stateDir, errand.minAgeMs, Date.now(), module?.faultPoint),
  };
}

const errand: KeeperErrand = workerData;
const answer = await run(errand).catch((error: unknown): FromKeeper => ({ type: "failed", cause: formatCause(error) }));
parentPort?.postMessage(answer);
