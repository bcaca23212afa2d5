import type { RunRow } from "@banyan/store";
import type { StoreMirror } from "../world/store-mirror.ts";

export function isChildKey(key: string): boolean {
  return key.includes(":subagent:");
}

/** The run that a child's session was opened for: later ones are messages to it. */
export function findRunOf({ runs }: StoreMirror, childKey: string): RunRow | undefined {
  for (const runId of runs.indexes.child.get(childKey) ?? []) {
    const row = runs.records.get(runId)?.row;
    if (row !== undefined && !isSent(row)) return row;
  }
  return undefined;
}

/** Whether a run is the answer to a message, and not why its session was opened. */
export function isSent({ body }: RunRow): boolean {
  return body.includes(`"source":"send"`);
}

/** The runs above a session, the nearest first; `undefined` where they go in a circle. */
export function listAbove(data: StoreMirror, sessionKey: string): readonly RunRow[] | undefined {
  const above: RunRow[] = [];
  for (let run = findRunOf(data, sessionKey); run !== undefined; run = findRunOf(data, run.requesterSessionKey)) {
    if (above.includes(run)) return undefined;
    above.push(run);
  }
  return above;
}

/** All runs that a session has ever asked for, and what they asked for in turn. */
export function listBelow({ runs }: StoreMirror, sessionKey: string): readonly RunRow[] {
  const keys = [sessionKey];
  const below: RunRow[] = [];
  for (const key of keys)
    for (const runId of runs.indexes.requester.get(key) ?? []) {
      const row = runs.records.get(runId)?.row;
      if (row === undefined) continue;
      below.push(row);
      if (!keys.includes(row.childSessionKey)) keys.push(row.childSessionKey);
    }
  return below;
}
