import type { Completion } from "@banyan/plugin-sdk";
import { formatEnd, formatLoss, lastLineOf } from "./child-end.ts";
import { type ChildTask, parseChildWork } from "./child-task.ts";

/** What is said when the one child of a job has ended. */
export function formatSingle(child: ChildTask, end: Completion): string {
  const work = parseChildWork(child);
  const isDone = end.outcome === "done" && end.result.trim() !== "";
  switch (work.kind) {
    case "nest": {
      const said = isDone ? lastLineOf(end) : `level ${work.level} of ${work.of} ${formatLoss(end)}.`;
      return work.level === 1 ? `The nest says: ${said}` : `${formatLevel(work.level - 1, work.of)}: ${said}`;
    }
    case "slow":
      return isDone ? `The sub-agent is done. ${lastLineOf(end)}` : `The slow sub-agent ${formatLoss(end)}.`;
    case "fail":
      return end.outcome === "failed" ? `As asked, the sub-agent ${formatLoss(end)}.` : formatEnd(end);
    default:
      return formatEnd(end);
  }
}

export function formatLevel(level: number, of: number): string {
  return `level ${level} of ${of}`;
}
