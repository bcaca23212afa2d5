import type { TimerRow } from "@banyan/store";
import { QUESTION_TIMER } from "../../questions/question.ts";
import { STATUS_TIMER } from "../../runs/run-timer.ts";
import { THREAD_CLOSING, THREAD_NAMING } from "../../runs/thread-timer.ts";
import type { SubagentParts } from "../subagent-parts.ts";
import { announceRun } from "./announce-run.ts";
import { archiveRun } from "./archive-run.ts";
import { closeRunThread, renameRunThread, withdrawRunThread } from "./close-run-thread.ts";
import { endQuestion } from "./end-question.ts";
import { expireBinding } from "./expire-binding.ts";
import { removeRunFiles } from "./remove-run-files.ts";
import { showEnd } from "./show-end.ts";
import { timeOutRun } from "./time-out-run.ts";

/**
 * Does what is due for a run or binding. Each may be killed at any line and is then due again: what it writes is one
 * step with the timer's end, or can be done twice.
 */
export async function fireTimer(timer: TimerRow, parts: SubagentParts): Promise<void> {
  parts.ports.faultPoint("timer.before");
  await settleTimer(timer, parts);
  parts.ports.faultPoint("timer.after");
}

function settleTimer(timer: TimerRow, parts: SubagentParts): Promise<void> {
  const { kind } = timer;
  switch (kind) {
    case "timeout":
      return timeOutRun(timer, parts);
    case "announce":
      return announceRun(timer, parts);
    case "archive":
      return archiveRun(timer, parts);
    case "attachments":
      return removeRunFiles(timer, parts);
    case STATUS_TIMER:
      return showEnd(timer, parts);
    case QUESTION_TIMER:
      return endQuestion(timer, parts);
    case "thread-withdrawal":
      return withdrawRunThread(timer, parts);
    case THREAD_CLOSING:
      return closeRunThread(timer, parts);
    case THREAD_NAMING:
      return renameRunThread(timer, parts);
    case "binding-idle":
    case "binding-age":
      return expireBinding(timer, kind, parts);
    default:
      // Of a newer version, perhaps, which will run again.
      throw new Error(`A timer was fired: this version knows no kind ${kind}; it stays until one does`);
  }
}
