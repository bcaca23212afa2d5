import type { Completion, RunOutcome } from "@banyan/plugin-sdk";

/** By run id. */
export type ChildEnds = ReadonlyMap<string, Completion>;

const SAID_LIMIT_CHARS = 500;

const LOSSES: Readonly<Record<Exclude<RunOutcome, "done">, string>> = {
  failed: "failed",
  killed: "was stopped",
  timeout: "ran out of time",
  interrupted: "was interrupted and cannot go on",
};

/** What became of a child that has nothing for us: `failed: the disk is full`, without the full stop. */
export function formatLoss({ outcome, error }: Completion): string {
  if (outcome === "done") return "gave no answer that I can read";
  return `${LOSSES[outcome]}${error === undefined ? "" : `: ${cutStop(error)}`}`;
}

/** The last line of what a child said: before it stands what it said on the way. */
export function lastLineOf({ result }: Completion): string {
  return result.trimEnd().split("\n").at(-1)?.slice(0, SAID_LIMIT_CHARS) ?? "";
}

/** What somebody else's child did, in a line or a few. */
export function formatEnd(completion: Completion): string {
  const { label, task, outcome, result } = completion;
  const name = label ?? (task.length > 60 ? `${task.slice(0, 60).toWellFormed()}…` : task);
  if (outcome !== "done") return `The sub-agent “${name}” ${formatLoss(completion)}.`;
  const said = result.trim();
  if (said === "") return `The sub-agent “${name}” is done and had nothing to say.`;
  const shown = said.length > SAID_LIMIT_CHARS ? `${said.slice(0, SAID_LIMIT_CHARS).toWellFormed()}…` : said;
  return `The sub-agent “${name}” is done:${shown.includes("\n") ? "\n" : " "}${shown}`;
}

/** For a sentence inside ours. */
function cutStop(sentence: string): string {
  return sentence.trim().replace(/\.+$/u, "");
}
