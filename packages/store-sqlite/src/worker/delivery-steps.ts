import type { DatabaseSync } from "node:sqlite";
import type {
  AnchorStep,
  AttemptStep,
  DropDeliveryStep,
  RetryDeliveryStep,
  SettleStep,
  StepResults,
} from "@banyan/store";
import { DELIVERY_KIND, DELIVERY_POLICY, DELIVERY_STATE } from "../database/code.ts";
import type { Tables } from "./tables.ts";

const { pending, sending, sent, sent_maybe_repeated: repeated, stuck, unknown, undeliverable } = DELIVERY_STATE;
const DROPPABLE: readonly number[] = [pending, stuck, unknown, undeliverable];

export interface DeliverySteps {
  attempt(step: AttemptStep): StepResults["attempt"];
  anchor(step: AnchorStep): StepResults["anchor"];
  settle(step: SettleStep, nowMs: number): StepResults["settle"];
  retry(step: RetryDeliveryStep, nowMs: number): StepResults["retry_delivery"];
  drop(step: DropDeliveryStep, nowMs: number): StepResults["drop_delivery"];
}

export function createDeliverySteps(database: DatabaseSync, tables: Tables): DeliverySteps {
  const begin = database.prepare("UPDATE deliveries SET state = ?, attempts = ?, owner = ? WHERE pos = ?");
  const findChat = database.prepare("SELECT chat, platform_id FROM deliveries WHERE pos = ?");
  const setAnchor = database.prepare("UPDATE deliveries SET anchor_id = ? WHERE pos = ? AND anchor_id IS NOT ?");
  const setRefused = database.prepare(
    "UPDATE deliveries SET anchor_id = ?1, policy = ?2 WHERE pos = ?3 AND (anchor_id IS NOT ?1 OR policy <> ?2)",
  );
  const drop = database.prepare("UPDATE deliveries SET state = ?, is_dropped = 1 WHERE pos = ?");
  const keepsDrop = database.prepare("SELECT kind, is_dropped FROM deliveries WHERE pos = ?");

  /** A completion that nobody could be told is kept until somebody gave it up. */
  function isGivenUp(pos: number): boolean {
    const row = keepsDrop.get(pos);
    return row?.kind !== DELIVERY_KIND.completion || row.is_dropped === 1;
  }

  return {
    attempt(step) {
      const row = tables.deliveries.findStanding(step.id);
      if (row === undefined) return { status: "refused", reason: "not_found" };
      const isRepeat = row.state === sending && row.attempts === step.attempt && row.owner === step.owner;
      if (isRepeat) return { status: "already" };
      if (row.state !== pending && row.state !== stuck) return { status: "refused", reason: "wrong_state" };
      if (row.attempts + 1 !== step.attempt) return { status: "refused", reason: "conflict" };
      begin.run(sending, step.attempt, step.owner, row.pos);
      return { status: "done" };
    },
    anchor({ id, attempt, chat, anchorId, isRefused = false }) {
      const row = tables.deliveries.findStanding(id);
      if (row?.attempts !== attempt) return { status: "fenced" };
      const found = findChat.get(row.pos);
      const isSent = (row.state === sent || row.state === repeated) && found?.platform_id === anchorId;
      if (found?.chat !== chat || !(row.state === sending || (isSent && !isRefused))) return { status: "fenced" };
      const { changes } = isRefused
        ? setRefused.run(anchorId, DELIVERY_POLICY["at-least-once"], row.pos)
        : setAnchor.run(anchorId, row.pos, anchorId);
      return { status: changes === 1 ? "done" : "already" };
    },
    settle: createSettleStep(database, tables),
    retry(step, nowMs) {
      if (!tables.deliveries.has(step.id)) return { status: "refused", reason: "not_found" };
      if (!tables.deliveries.retry(step.id, nowMs)) return { status: "refused", reason: "wrong_state" };
      tables.audit.write(step.audit, nowMs);
      return { status: "done" };
    },
    drop(step, nowMs) {
      const row = tables.deliveries.findStanding(step.id);
      if (row === undefined) return { status: "refused", reason: "not_found" };
      if (row.state === undeliverable && isGivenUp(row.pos)) return { status: "already" };
      if (!DROPPABLE.includes(row.state)) return { status: "refused", reason: "wrong_state" };
      drop.run(undeliverable, row.pos);
      tables.audit.write(step.audit, nowMs);
      return { status: "done" };
    },
  };
}

/** T6 looks before it writes only where the write finds nothing: nearly every settle is one statement. */
function createSettleStep(database: DatabaseSync, tables: Tables): DeliverySteps["settle"] {
  const fence = `WHERE id = ? AND state = ${sending} AND attempts = ?`;
  const setSent = database.prepare(
    `UPDATE deliveries SET state = ?, platform_id = ?, owner = NULL, error = NULL ${fence}`,
  );
  const putBack = database.prepare("UPDATE deliveries SET address = ?, chat = ? WHERE id = ? AND chat IS NOT ?");
  const setLost = database.prepare(`UPDATE deliveries SET state = ?, error = ?, owner = NULL ${fence}`);
  const setAgain = database.prepare(
    `UPDATE deliveries SET state = ?, error = ?, owner = NULL, attempts = ?, next_at = ?,
       maybe_repeated = maybe_repeated OR ? ${fence}`,
  );

  function write({ id, attempt, outcome }: SettleStep, nowMs: number): number | bigint {
    const state = DELIVERY_STATE[outcome.state];
    switch (outcome.state) {
      case "sent":
      case "sent_maybe_repeated":
        return setSent.run(state, outcome.platformId, id, attempt).changes;
      case "undeliverable":
      case "unknown":
        return setLost.run(state, outcome.error, id, attempt).changes;
      case "pending":
      case "stuck": {
        const attempts = outcome.giveBackAttempt === true ? attempt - 1 : attempt;
        const isMarked = outcome.maybeRepeated === true ? 1 : 0;
        const nextAtMs = nowMs + outcome.retryInMs;
        return setAgain.run(state, outcome.error, attempts, nextAtMs, isMarked, id, attempt).changes;
      }
    }
  }

  return (step, nowMs) => {
    const { outcome, attempt, sentTo } = step;
    if (write(step, nowMs) === 1) {
      if (sentTo !== undefined && "platformId" in outcome)
        putBack.run(sentTo.address, sentTo.chat, step.id, sentTo.chat);
      return { status: "done" };
    }
    const isGivenBack = "giveBackAttempt" in outcome && outcome.giveBackAttempt === true;
    const row = tables.deliveries.findStanding(step.id);
    const isRepeat =
      row?.state === DELIVERY_STATE[outcome.state] && row.attempts === (isGivenBack ? attempt - 1 : attempt);
    return isRepeat ? { status: "already" } : { status: "fenced" };
  };
}
