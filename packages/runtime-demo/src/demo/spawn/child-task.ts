import { parseDemoCommand, type WorkCommand } from "../demo-command.ts";
import { formatPathArgument } from "../path-argument.ts";
import type { Share } from "../words/count-words.ts";

/** What a sub-agent is asked to do, in the demo's own sentences, and what it is called in the tree. */
export interface ChildTask {
  readonly label: string;
  readonly task: string;
}

/** A child's task, understood again from what the transcript keeps of it. */
export type ChildWork =
  | ({ readonly kind: "words" } & Share)
  | { readonly kind: "side"; readonly place: string }
  | { readonly kind: "nest"; readonly level: number; readonly of: number }
  | { readonly kind: "slow"; readonly seconds: number }
  | { readonly kind: "fail" }
  /** Not of our asking. */
  | { readonly kind: "other" };

/** A number instead of a list of names: short for any folder, and nothing in a name can pass for words of the task. */
export function buildShareTask({ dir, part, of }: Share): ChildTask {
  return { label: `words ${part}/${of}`, task: `count words in ${formatPathArgument(dir)} part ${part} of ${of}` };
}

export function buildSideTask(place: string, side: 1 | 2): ChildTask {
  return { label: `compare ${side}/2`, task: `work count words in ${formatPathArgument(place)}` };
}

export function buildLevelTask(level: number, of: number): ChildTask {
  return { label: `level ${level}/${of}`, task: `nest level ${level} of ${of}` };
}

export function buildWorkTask(command: Exclude<WorkCommand, { kind: "count-words" }>): ChildTask {
  return command.kind === "fail"
    ? { label: "fail", task: "work fail" }
    : { label: `slow ${command.seconds}`, task: `work slow ${command.seconds}` };
}

export function parseChildWork({ label, task }: ChildTask): ChildWork {
  const command = parseDemoCommand(task);
  if (command.kind === "count-part") return { ...command, kind: "words" };
  if (command.kind === "nest" && command.level > 0) return command;
  if (command.kind !== "work") return { kind: "other" };
  const work = command.command;
  if (work.kind !== "count-words") return work;
  return /^compare [12]\/2$/u.test(label) ? { kind: "side", place: work.dir } : { kind: "other" };
}
