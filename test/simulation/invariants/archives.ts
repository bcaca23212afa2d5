import type { RunRow } from "@banyan/plugin-sdk/store";
import type { MemoryData } from "@banyan/store-memory";
import { readTold } from "./announcement.ts";
import type { Invariant } from "./invariant.ts";

const OPEN: ReadonlySet<string> = new Set(["waiting", "active", "held"]);
const UNSETTLED: ReadonlySet<string> = new Set(["pending", "sending", "stuck"]);

/** I19: a session is put away only when it, and all that it asked for itself, is through, and the chat was told. */
export function createArchives(): Invariant {
  let known = new Set<string>();
  return {
    name: "I19",
    observe(seen, { data }) {
      if (seen.type !== "step") return undefined;
      const fresh = [...data.archivedKeys].filter((key) => !known.has(key));
      if (fresh.length > 0 || known.size !== data.archivedKeys.size) known = new Set(data.archivedKeys);
      const hasty = fresh.map((key) => judgeSession(key, data)).find((wrong) => wrong !== undefined);
      if (hasty !== undefined || seen.result.status !== "done") return hasty;
      if (seen.step.step !== "archive_run") return undefined;
      const run = data.runs.records.get(seen.step.runId)?.row;
      if (run?.state !== "ended") return `${run?.runId} is put away, and is ${run?.state}`;
      return judgeTold(run, data);
    },
  };
}

function judgeSession(key: string, { items, runs }: MemoryData): string | undefined {
  const open = [...items.values()].find(({ row }) => row.lane === key && OPEN.has(row.state));
  if (open !== undefined) return `${key} is put away, and item ${open.row.seq} in it is ${open.row.state}`;
  const atWork = [...runs.records.values()].find(
    ({ row }) => row.state !== "ended" && (row.childSessionKey === key || row.requesterSessionKey === key),
  );
  return atWork === undefined ? undefined : `${key} is put away, and ${atWork.row.runId} is ${atWork.row.state}`;
}

function judgeTold({ runId, childSessionKey, settledBy }: RunRow, data: MemoryData): string | undefined {
  const seq = data.seqByDedupe.get(`completion|${runId}`);
  const { state = "done" } = data.items.get(seq ?? 0)?.row ?? {};
  if (OPEN.has(state)) return `${childSessionKey} is put away, and its completion is ${state}`;
  if (settledBy === undefined) return `${childSessionKey} is put away, and nobody has told of ${runId}`;
  const unsent = [...data.deliveries.values()].find(
    ({ row }) => UNSETTLED.has(row.state) && (readTold(row).includes(runId) || row.sessionKey === childSessionKey),
  );
  return unsent === undefined
    ? undefined
    : `${childSessionKey} is put away, and ${unsent.row.id} is ${unsent.row.state}`;
}
