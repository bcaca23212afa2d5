/** What a turn's end writes beside transcript and record: the words to the chat, the end of its run, who tells of others. */
import type { CommitTurnStep, NewDelivery, StepResults } from "@banyan/store";
import type { PreparedEnds } from "../runs/prepare-ends.ts";
import { abandonEnds, settleEnds } from "../runs/settle-ends.ts";
import type { EndingTurn } from "./ending-turn.ts";
import { readReplied } from "./replied-runs.ts";
import type { TurnParts } from "./turn-parts.ts";
import { composeReply } from "./turn-reply.ts";
import { planTurnRun } from "./turn-run.ts";
import { composeSayings } from "./turn-sayings.ts";
import { planSpeeches } from "./turn-speeches.ts";
import { composeStatuses } from "./turn-statuses.ts";

type Committed = Extract<StepResults["commit_turn"], { waiting: number }>;

/** Rows are reserved: `settle` or `abandon` must follow. */
export interface TurnEffects {
  readonly written: Pick<CommitTurnStep, "deliveries" | "run" | "speeches">;
  settle(committed: Committed): void;
  abandon(): Promise<void>;
}

export async function planTurnEffects(ending: EndingTurn, parts: TurnParts): Promise<TurnEffects> {
  const { turn, reply, sayings } = ending;
  const { item } = turn.claim;
  const isAsked = (item.wake ?? "turn") === "turn";
  const worksForRun = isAsked && item.runId !== undefined;
  const replied = isAsked && !turn.body.isQuiet ? await readReplied(ending, parts.store.read) : [];
  const tellsOfRuns = isAsked && turn.completions.length + replied.length > 0 && !turn.body.isQuiet;
  const told = tellsOfRuns ? await planSpeeches(ending, replied, parts) : undefined;
  const answer = told?.deliveries ?? (reply === undefined ? [] : composeReply(turn, reply, parts));
  const deliveries = [...composeSayings(turn, sayings, parts), ...answer];
  const statuses = turn.body.isQuiet ? [] : await composeStatuses(ending, parts);
  const run = worksForRun ? await planTurnRun(ending, item.runId, parts) : undefined;
  return buildEffects(
    { deliveries: [...deliveries, ...statuses], ...(told && { speeches: told.speeches }), ...(run && { run }) },
    parts,
  );
}

interface PlannedEffects {
  readonly deliveries: readonly NewDelivery[];
  readonly speeches?: CommitTurnStep["speeches"];
  readonly run?: { readonly runId: string; readonly mayWait: boolean; readonly prepared: PreparedEnds };
}

function buildEffects({ deliveries: rows, speeches, run }: PlannedEffects, parts: TurnParts): TurnEffects {
  const { outbox, owner, runs } = parts;
  const deliveries = outbox.reserve(rows, owner);
  const told = speeches === undefined || speeches.length === 0 ? {} : { speeches };
  if (run === undefined) {
    return {
      written: { deliveries, ...told },
      settle: () => outbox.enqueue(deliveries),
      abandon: async () => outbox.release(deliveries),
    };
  }
  const { runId, mayWait, prepared } = run;
  return {
    written: { deliveries, ...told, run: { runId, mayWait, ...prepared.effect } },
    settle(committed) {
      outbox.enqueue(deliveries);
      const wakes = committed.status === "done" ? (committed.wakes ?? []) : undefined;
      if (committed.run === "ended") settleEnds(prepared, wakes, runs);
      else outbox.release(prepared.deliveries);
    },
    async abandon() {
      outbox.release(deliveries);
      await abandonEnds(prepared, runs);
    },
  };
}
