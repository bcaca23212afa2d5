import type { SpawnRequest } from "../spawn/spawn-request.ts";
import { splitLine, type Word } from "./command-line.ts";

export const SPAWN_USAGE = "/spawn [--thread] [--agent ID] [--label TEXT] [--mode run|session] <task>";

export type SpawnLine =
  | { readonly kind: "request"; readonly request: SpawnRequest }
  | { readonly kind: "invalid"; readonly problem: string };

type Option = "agentId" | "label" | "mode";
const VALUED: Readonly<Record<string, Option>> = { "--agent": "agentId", "--label": "label", "--mode": "mode" };

/** The options come first; what is left of the line, as it stands, is the task. A task in quotes is taken out of them. */
export function parseSpawnLine(line: string): SpawnLine {
  const options: { -readonly [Key in Option | "thread"]?: SpawnRequest[Key] } = {};
  let rest = line.trim();
  for (;;) {
    const head = /^--[^\s=]*/.exec(rest)?.[0];
    if (head === undefined) break;
    rest = rest.slice(head.length);
    if (head === "--") break;
    if (head === "--thread") options.thread = true;
    else {
      const name = VALUED[head];
      if (name === undefined) {
        return invalid(`There is no option ${head}. Write ${SPAWN_USAGE}; -- ends the options.`);
      }
      const value = takeValue(rest);
      if (value === undefined) return invalid(`${head} needs a value. Write ${SPAWN_USAGE}.`);
      options[name] = value.text;
      rest = value.rest;
    }
    rest = rest.trimStart();
  }
  const task = unquote(rest.trim());
  if (task === "") return invalid(`What is the task? Write ${SPAWN_USAGE}.`);
  return { kind: "request", request: { task, ...options } };
}

function takeValue(rest: string): { readonly text: string; readonly rest: string } | undefined {
  const from = rest.startsWith("=") ? rest.slice(1) : rest.trimStart();
  const end = findWordEnd(from);
  const split = splitLine(from.slice(0, end));
  const [word]: readonly (Word | undefined)[] = split.kind === "words" ? split.words : [];
  if (word === undefined || (!word.isQuoted && word.text.startsWith("--"))) return undefined;
  return { text: word.text, rest: from.slice(end) };
}

/** Where the first word of a text ends, quotes held together. */
function findWordEnd(text: string): number {
  const quoted = /^(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')/.exec(text)?.[0];
  return quoted?.length ?? /^\S*/.exec(text)?.[0].length ?? 0;
}

/** A whole task in quotes loses them; quotes inside a task are its own. */
function unquote(task: string): string {
  const split = /^["']/.test(task) ? splitLine(task) : undefined;
  if (split?.kind !== "words" || split.words.length !== 1) return task;
  return split.words[0]?.text ?? task;
}

function invalid(problem: string): SpawnLine {
  return { kind: "invalid", problem };
}
