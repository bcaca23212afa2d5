import type { DatabaseSync } from "node:sqlite";
import { lostSenderError, type RecoverStep, type StepResults } from "@banyan/store";
import { DELIVERY_POLICY, DELIVERY_STATE } from "../database/code.ts";
import { readNumber } from "../database/column.ts";
import type { Tables } from "./tables.ts";

export type RecoverRunner = (step: RecoverStep, nowMs: number) => StepResults["recover"];

export function createRecoverStep(database: DatabaseSync, tables: Tables): RecoverRunner {
  const findLanes = database.prepare("SELECT id, claim_seq FROM lanes WHERE owner IS NOT NULL AND owner <> ?");
  const takeUp = database.prepare(
    `UPDATE deliveries SET owner = NULL, next_at = ?, error = ?,
       state = CASE policy WHEN ${DELIVERY_POLICY["at-most-once"]} THEN ${DELIVERY_STATE.unknown}
         ELSE ${DELIVERY_STATE.pending} END,
       maybe_repeated = maybe_repeated OR policy <> ${DELIVERY_POLICY["at-most-once"]}
     WHERE state < 3 AND state = ${DELIVERY_STATE.sending} AND owner IS NOT ?`,
  );
  return (step, nowMs) => {
    const lanes = findLanes.all(step.owner);
    for (const lane of lanes) {
      tables.items.countDeath(readNumber(lane.claim_seq));
      tables.lanes.free(readNumber(lane.id));
    }
    const { changes } = takeUp.run(nowMs, lostSenderError, step.owner);
    return { status: "done", lanes: lanes.length, deliveries: Number(changes) };
  };
}
