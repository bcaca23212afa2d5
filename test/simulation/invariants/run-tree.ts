import type { SessionEntry } from "@banyan/plugin-sdk";
import type { RunRow } from "@banyan/store";
import { LIMITS, MOST_CHILDREN, MOST_DEPTH } from "../process/house-rules.ts";
import type { StoreMirror } from "../world/store-mirror.ts";
import { findRunOf, isChildKey, isSent, listAbove } from "./family.ts";
import type { Invariant } from "./invariant.ts";

/** I14: runs are a tree of bounded depth, and neither a session nor a tree has more of them at once than is allowed. */
export function createRunTree(): Invariant {
  return {
    name: "I14",
    observe(seen, { data }) {
      if (seen.type !== "step") return undefined;
      for (const { before, after } of seen.runs) {
        const wrong =
          after?.state === "reserved" && before === undefined
            ? judgeReserved(after, data)
            : after?.state === "accepted" && before?.state === "reserved" && !isSent(after)
              ? judgeLineage(after, data)
              : undefined;
        if (wrong !== undefined) return wrong;
      }
      return undefined;
    },
  };
}

function judgeReserved(run: RunRow, data: StoreMirror): string | undefined {
  const { runId, requesterSessionKey: requester, rootSessionKey: root, childSessionKey } = run;
  const above = listAbove(data, requester);
  if (above === undefined) return `the runs above ${runId} go in a circle`;
  if (above.length >= MOST_DEPTH && !isSent(run)) return `${runId} is ${above.length + 1} deep`;
  if (!isSent(run) && findRunOf(data, childSessionKey) !== run) return `${childSessionKey} has two parents`;
  const unfinished = [...data.runs.records.values()].filter(({ row }) => row.state !== "ended");
  const siblings = unfinished.filter(({ row }) => row.requesterSessionKey === requester).length;
  if (siblings > MOST_CHILDREN) return `${requester} has ${siblings} children at once`;
  const inTree = unfinished.filter(({ row }) => row.rootSessionKey === root).length;
  return inTree > LIMITS.maxTreeRuns ? `${inTree} runs are at work below ${root}` : undefined;
}

function judgeLineage(run: RunRow, data: StoreMirror): string | undefined {
  const row = data.sessions.get(run.childSessionKey);
  if (row === undefined) return `${run.runId} is accepted, and its session is not there`;
  const { spawnedBy, spawnDepth }: SessionEntry = JSON.parse(row.body);
  const { runId, requesterSessionKey: requester, rootSessionKey: root } = run;
  const above = listAbove(data, requester) ?? [];
  const top = above.at(-1)?.requesterSessionKey ?? requester;
  // A reservation for a tree whose top went on elsewhere meanwhile is taken back.
  if (top !== root || isChildKey(top)) return `${runId} is in the tree of ${root}, and hangs below ${top}`;
  const depth = above.length + 1;
  return spawnedBy === run.requesterSessionKey && spawnDepth === depth
    ? undefined
    : `${run.childSessionKey} says that it is ${spawnDepth} deep below ${spawnedBy}, and is ${depth} deep below ${run.requesterSessionKey}`;
}
