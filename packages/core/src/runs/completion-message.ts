import { type Completion, formatStats, type RunOutcome } from "@banyan/plugin-sdk";

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

/** The label or how the task began, as one line that no Markdown gets out of. */
export function nameCompletion({ label, task }: Pick<Completion, "label" | "task">): string {
  const [line = ""] = (label ?? task).trim().split(/[\r\n]/, 1);
  const short = line.length > 80 ? `${line.slice(0, 80).toWellFormed()}…` : line;
  return short.replaceAll(/[\\`*_[\]<>~|#]/g, "\\$&") || "sub-agent";
}
