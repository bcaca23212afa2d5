import type { ShownRun } from "@banyan/plugin-sdk";
import type { DeliveryRow } from "@banyan/store";
import type { AmendEnd } from "../../outbound/anchors/amend-message.ts";
import { isUnfinished, parseRunOutline, type RunRecord, withLiveNote } from "../../runs/run-record.ts";
import { formatStatus } from "../../runs/run-status.ts";
import type { SubagentParts } from "../subagent-parts.ts";

/** As many of one session are looked through for those of one message. */
const MOST_RUNS = 200;

/** A message that shows how runs fare. */
export interface Status {
  readonly row: DeliveryRow | undefined;
  /** In the order of their spawning. */
  readonly runs: readonly RunRecord[];
  readonly text: string;
}

/** `anchor`: the row of the delivery that shows it. */
export async function readStatus(
  anchor: string,
  requesterSessionKey: string,
  { store, ports, findLiveNote }: Pick<SubagentParts, "store" | "ports" | "findLiveNote">,
): Promise<Status> {
  const [row, rows] = await Promise.all([
    store.read.delivery(anchor),
    store.read.runs({ requesterSessionKey, newest: true, limit: MOST_RUNS }),
  ]);
  const runs = rows
    .map(parseRunOutline)
    .filter(({ body }) => body.anchor === anchor)
    .map((run) => withLiveNote(run, findLiveNote));
  return { row, runs, text: ports.scrub(formatStatus(runs)) };
}

/**
 * Edits the message into what the status says. `absent`: there is no message, perhaps not yet. `busy` also where it is not
 * sent yet. Never rejects.
 */
export async function showStatus(
  { row, runs, text }: Status,
  { outbox }: Pick<SubagentParts, "outbox">,
): Promise<AmendEnd["kind"] | "absent"> {
  // It is written with the end of the turn that spawned.
  if (row === undefined || runs.length === 0) return "absent";
  if (row.state === "undeliverable" || row.state === "unknown") return "gone";
  if (row.platformId === undefined) return "busy";
  const [run] = runs;
  const isAlone = runs.length === 1 && run !== undefined && isUnfinished(run);
  const { kind } = await outbox.amend(row, { text, ...(isAlone ? { run: describeRun(run) } : {}) });
  return kind;
}

function describeRun({ runId, body }: RunRecord): ShownRun {
  return { runId, state: "working", ...(body.askedBy === undefined ? {} : { askedBy: body.askedBy }) };
}
