import type { StoreMirror } from "../world/store-mirror.ts";
import type { Invariant } from "./invariant.ts";
import { listClaims } from "./lane-order.ts";

/**
 * I16: a run that waits is woken when the last of what it waits for has ended: not before, and never left waiting for
 * nothing. What came before is held until then.
 */
export function createRunWake(): Invariant {
  /** A wake that was cut off goes on, whatever it has asked for meanwhile. */
  const woken = new Set<number>();
  return {
    name: "I16",
    observe(seen, { data }) {
      if (seen.type !== "step" || data.runs.records.size === 0) return undefined;
      for (const { item } of listClaims(seen)) {
        const { seq, runId, kind, wake = "turn" } = item;
        if (kind !== "completion" || wake !== "turn" || runId === undefined || woken.has(seq)) continue;
        woken.add(seq);
        const busy = findAwaited(data, runId);
        if (busy !== undefined) return `${runId} is woken while ${busy}, which it waits for, is not done`;
      }
      if (seen.runs.length === 0 && seen.step.step !== "commit_turn" && seen.step.step !== "command") return undefined;
      return judgeWaiting(data) ?? judgeHeld(data);
    },
  };
}

function findAwaited({ runs }: StoreMirror, runId: string): string | undefined {
  const below = [...(runs.indexes.unfinishedParent.get(runId) ?? [])];
  return below.find((id) => runs.records.get(id)?.row.isAwaited === true);
}

function judgeWaiting(data: StoreMirror): string | undefined {
  for (const runId of data.runs.indexes.state.get("waiting") ?? []) {
    const key = data.runs.records.get(runId)?.row.childSessionKey ?? "";
    const { queue = [], held = [], active = [] } = data.lanes.get(key) ?? {};
    const hasItem = [...queue, ...held, ...active].some((seq) => {
      const row = data.items.get(seq)?.row;
      return row?.runId === runId && row.wake !== "append";
    });
    if (!hasItem && findAwaited(data, runId) === undefined) return `${runId} waits, and nothing will wake it`;
  }
  return undefined;
}

function judgeHeld(data: StoreMirror): string | undefined {
  for (const [runId, items] of data.runs.heldItems)
    if (items.size > 0 && findAwaited(data, runId) === undefined)
      return `the items ${[...items].join()} are held for ${runId}, which waits for nothing`;
  return undefined;
}
