import { type Completion, formatStats, type RunOutcome } from "@banyan/plugin-sdk";
import { escapeName } from "../ports/plain-text.ts";

const SIGNS: Readonly<Record<RunOutcome, readonly [sign: string, words: string]>> = {
  done: ["✅", "done in"],
  failed: ["❌", "failed after"],
  timeout: ["⏱", "ran out of time after"],
  killed: ["⏹", "stopped after"],
  interrupted: ["⚠", "interrupted after"],
};

/** What the host tells a chat of a run's end. Markdown. */
export function formatCompletionMessage(completion: Completion): string {
  const { outcome, error, result } = completion;
  const [sign, words] = SIGNS[outcome];
  const head = `${sign} **${nameCompletion(completion)}** · ${words} ${formatStats(completion)}`;
  const rest = [
    ...(error === undefined ? [] : [error]),
    ...(result === "" ? (outcome === "done" ? ["It ended without an answer."] : []) : [result]),
  ];
  return [head, ...rest].join("\n\n");
}

const ENDS: Readonly<Record<RunOutcome, string>> = {
  done: "is done",
  failed: "has failed",
  timeout: "ran out of time",
  killed: "was stopped",
  interrupted: "was interrupted",
};
/** More of them nobody reads in one line. */
const MOST_NAMED = 3;

/** How a run has ended, in a few words that hold nothing of its result. Markdown. */
export function formatEnd(completion: Completion): string {
  const { outcome } = completion;
  return `${SIGNS[outcome][0]} **${nameCompletion(completion)}** ${ENDS[outcome]}`;
}

/** What holds the place of a completion message until that is there. */
export function formatComing(completion: Completion): string {
  return `${formatEnd(completion)}; what it has to say follows.`;
}

/** Calls attention to what a message above has become. */
export function formatCall(completions: readonly Completion[]): string {
  const named = completions.slice(0, MOST_NAMED).map(formatEnd);
  const rest = completions.length - named.length;
  return `${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}: see above.`;
}

/** Says below an answer that people have the results of these runs already. Markdown. */
export function formatAnnounced(completions: readonly Pick<Completion, "label" | "task">[]): string {
  const named = completions.slice(0, MOST_NAMED).map((completion) => `**${nameCompletion(completion)}**`);
  const rest = completions.length - named.length;
  return `(Already announced above: ${[...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ")}.)`;
}

/** The label or how the task began, as one line that no Markdown gets out of. */
export function nameCompletion({ label, task }: Pick<Completion, "label" | "task">): string {
  const [line = ""] = (label ?? task).trim().split(/[\r\n]/, 1);
  const short = line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line;
  return escapeName(short) || "sub-agent";
}
