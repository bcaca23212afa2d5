import type { RunRow } from "@banyan/store";
import { inTime, LATE } from "../../ports/in-time.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import type { ReadySpawn, SpawnDraft } from "./spawn-draft.ts";
import { refuseSpawn, type SpawnRefusal } from "./spawn-refusal.ts";
import { undoReservation } from "./undo-spawn.ts";

/** A platform is asked with a limit of its own; a disk is not. */
const OPENING_LIMIT_MS = 60_000;

/** Opens what stands behind the reservation; whatever is refused, fails or takes too long is undone. Never rejects. */
export async function openOrUndo(
  draft: SpawnDraft,
  run: RunRow,
  open: () => Promise<ReadySpawn | SpawnRefusal>,
  parts: SubagentParts,
): Promise<ReadySpawn | SpawnRefusal> {
  const opening = open();
  try {
    const { ports, signal } = parts;
    const opened = await (opensOutside(draft) ? inTime(opening, OPENING_LIMIT_MS, ports.clock, signal) : opening);
    if (opened === LATE) {
      const why = new Error(`its places did not open within ${OPENING_LIMIT_MS / 1_000} s`);
      const refusal = await giveUp(run, why, parts);
      const undoAgain = () => undoReservation(run, parts);
      // It may open something yet.
      void opening.then(undoAgain, undoAgain);
      return refusal;
    }
    if (opened.kind === "refused") await undoReservation(run, parts);
    return opened;
  } catch (error) {
    return giveUp(run, error, parts);
  }
}

async function giveUp(run: RunRow, error: unknown, parts: SubagentParts): Promise<SpawnRefusal> {
  const { ports } = parts;
  ports.log.error({ err: error, runId: run.runId }, "a spawn failed");
  await undoReservation(run, parts);
  const reason = error instanceof Error ? error.message : String(error);
  return refuseSpawn("error", "spawn_failed", `${ports.scrub(reason)}; try again`);
}

/** Whether a platform or a disk is asked, which may take their time. */
function opensOutside({ plan }: SpawnDraft): boolean {
  return plan.body.threadRequested || plan.attachments.length > 0;
}
