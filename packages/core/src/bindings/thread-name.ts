/** How threads are called while a child works there and afterwards. Pure. */
import type { RunOutcome } from "@banyan/plugin-sdk";
import type { ThreadRules } from "../config/shapes/thread-rules.ts";
import { escapeName } from "../ports/plain-text.ts";

/** The least that a platform with threads allows (1–100 characters). */
export const LONGEST_NAME_CHARS = 100;
/** Nobody reads a whole task as a title. */
const LONGEST_TASK_NAME_CHARS = 60;
const NAMELESS = "sub-agent";

const END_MARKS: Readonly<Record<RunOutcome, string>> = {
  done: "✅",
  failed: "❌",
  interrupted: "❌",
  timeout: "⏱",
  killed: "⏹",
};

/** A thread's name: the run's label, or how its task begins. */
export function nameThread(
  { label, task }: { readonly label?: string; readonly task: string },
  nameFrom: ThreadRules["nameFrom"],
): string {
  const labelled = nameFrom === "label" ? cut(label ?? "", LONGEST_NAME_CHARS) : "";
  return labelled || cut(task, LONGEST_TASK_NAME_CHARS) || NAMELESS;
}

/** The name of a thread whose run has ended. */
export function nameClosedThread(name: string, outcome: RunOutcome): string {
  const mark = END_MARKS[outcome];
  return `${mark} ${cut(name, LONGEST_NAME_CHARS - mark.length - 1) || NAMELESS}`;
}

/** The first message of a thread. Markdown. */
export function formatHello(name: string): string {
  return `🌱 “${escapeName(name)}” works here; write to it.`;
}

/** One line, at most so many characters, none of them half. */
function cut(text: string, limit: number): string {
  // A long task is not read to its end.
  const line = text
    .slice(0, limit * 4)
    .trim()
    .split("\n", 1)
    .join("")
    .replaceAll(/\s+/g, " ")
    .toWellFormed()
    .trim();
  if (line.length <= limit) return line;
  const end = line.charCodeAt(limit - 2) >= 0xd800 && line.charCodeAt(limit - 2) <= 0xdbff ? limit - 2 : limit - 1;
  return `${line.slice(0, end).trimEnd()}…`;
}

const GOODBYES: Readonly<Record<RunOutcome, string>> = {
  done: "is done",
  failed: "has failed",
  interrupted: "was cut off",
  timeout: "ran out of time",
  killed: "was stopped",
};

/** The last line of a thread that closes: by its run's end, or without one, such as by age. Markdown. */
export function formatGoodbye(name: string, outcome: RunOutcome | undefined): string {
  if (outcome === undefined) return "🍂 The sub-agent has left this thread.";
  return `${END_MARKS[outcome]} “${escapeName(name)}” ${GOODBYES[outcome]} and has left this thread.`;
}
