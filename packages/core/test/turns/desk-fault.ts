import type { Step } from "@banyan/store";
import type { CommitFault } from "@banyan/store-sqlite/inline";

/** A fault at the first commits of one kind of step. */
export function faultAt(step: Step["step"], when: "before" | "after", times = 1): CommitFault {
  let left = times;
  return (committed, now) => {
    if (committed.step !== step || now !== when || left === 0) return "none";
    left -= 1;
    return "commit_unknown";
  };
}
