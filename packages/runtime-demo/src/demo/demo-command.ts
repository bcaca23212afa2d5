import { PATH_LIMIT_CHARS, parsePathArgument, splitWords } from "./path-argument.ts";

/** What a child is told to do itself, and what does not need one. */
export type WorkCommand =
  | { readonly kind: "fail" }
  | { readonly kind: "slow"; readonly seconds: number }
  | { readonly kind: "count-words"; readonly dir: string };

export type DemoCommand =
  | WorkCommand
  | { readonly kind: "greeting" | "help" | "status" }
  | { readonly kind: "calc"; readonly expression: string }
  /** Of the files that came with the message, or with one before it. */
  | { readonly kind: "count-attached" }
  | { readonly kind: "send"; readonly path: string }
  /** Of the files below `dir`, in `of` shares, that of number `part`, counted from 1. */
  | { readonly kind: "count-part"; readonly dir: string; readonly part: number; readonly of: number }
  | { readonly kind: "compare"; readonly left: string; readonly right: string }
  /** The level of the session that is told so: a person's is 0. */
  | { readonly kind: "nest"; readonly level: number; readonly of: number }
  /** Not to be passed on to a sub-agent: without it, a child that may spawn would pass it on for ever. */
  | { readonly kind: "work"; readonly command: WorkCommand }
  | { readonly kind: "mistake"; readonly text: string }
  | { readonly kind: "other" };

/** Long enough to watch and to abort, short enough to forget. */
export const SLOW_LIMIT_SECONDS = 600;
const DEFAULT_SLOW_SECONDS = 10;
/** Deeper trees show nothing more. */
export const NEST_LIMIT_LEVELS = 5;
/** Room for what stands behind a path. */
const COUNT_LIMIT_CHARS = PATH_LIMIT_CHARS + 40;

const PLAIN: ReadonlyMap<string, DemoCommand> = new Map<string, DemoCommand>([
  ["hello", { kind: "greeting" }],
  ["hi", { kind: "greeting" }],
  ["hey", { kind: "greeting" }],
  ["help", { kind: "help" }],
  ["status", { kind: "status" }],
  ["fail", { kind: "fail" }],
  ["count words in it", { kind: "count-attached" }],
  ["count words in them", { kind: "count-attached" }],
]);

const SENTENCES: readonly (readonly [RegExp, (rest: string) => DemoCommand])[] = [
  [/^calc(?:\s+(.*))?$/isu, (expression) => ({ kind: "calc", expression })],
  [/^count\s+words(?:\s+in\s+(.*))?$/isu, countIn],
  [/^send(?:\s+(.*))?$/isu, sendOf],
  [/^compare(?:\s+(.*))?$/isu, compareBoth],
  [/^nest(?:\s+(.*))?$/isu, nestTo],
  [/^slow(?:\s+(.*))?$/isu, slowFor],
  [/^work\s+(.*)$/isu, workOn],
];

/** Reads a message as one of the few sentences the demo agent knows. Upper and lower case are the same. */
export function parseDemoCommand(message: string): DemoCommand {
  const text = message.trim();
  const plain = PLAIN.get(text.toLowerCase().replace(/[.!?]$/u, ""));
  if (plain !== undefined) return plain;
  for (const [pattern, read] of SENTENCES) {
    const found = pattern.exec(text);
    if (found !== null) return read((found[1] ?? "").trim());
  }
  return { kind: "other" };
}

function countIn(text: string): DemoCommand {
  const tooLong = mistake(`count words takes a directory of up to ${PATH_LIMIT_CHARS} characters.`);
  if (text.length > COUNT_LIMIT_CHARS) return tooLong;
  const share = /^(.*\S)\s+part\s+(\d\d?)\s+of\s+(\d\d?)$/isu.exec(text);
  const dir = parsePathArgument(share?.[1] ?? text);
  if (dir.length > PATH_LIMIT_CHARS) return tooLong;
  if (share === null) return { kind: "count-words", dir };
  const [part, of] = [Number(share[2]), Number(share[3])];
  return part >= 1 && part <= of
    ? { kind: "count-part", dir, part, of }
    : mistake(`There is no part ${part} of ${of}.`);
}

function sendOf(text: string): DemoCommand {
  const path = parsePathArgument(text);
  const isFile = text !== "" && path !== "." && path.length <= PATH_LIMIT_CHARS;
  return isFile ? { kind: "send", path } : mistake("send takes a file of the workspace; try send README.md.");
}

function compareBoth(text: string): DemoCommand {
  const usage = mistake("compare takes two files or folders; try compare docs README.md.");
  if (text.length > COUNT_LIMIT_CHARS * 2) return usage;
  const words = splitWords(text);
  const isJoined = words.length === 3 && /^(?:and|with)$/iu.test(words[1] ?? "");
  const [left, right, ...more] = (isJoined ? words.toSpliced(1, 1) : words).map(parsePathArgument);
  if (left === undefined || right === undefined || more.length > 0) return usage;
  return { kind: "compare", left, right };
}

/** `nest 3`, and to a child `nest level 1 of 3`. */
function nestTo(text: string): DemoCommand {
  const inside = /^(?:level\s+(\d)\s+of\s+)?(\d)$/iu.exec(text);
  const [level, of] = [Number(inside?.[1] ?? 0), Number(inside?.[2])];
  if (of >= 1 && of <= NEST_LIMIT_LEVELS && level <= of) return { kind: "nest", level, of };
  return mistake(`nest takes a number of levels from 1 to ${NEST_LIMIT_LEVELS}; try nest 2.`);
}

function slowFor(text: string): DemoCommand {
  const seconds = text === "" ? DEFAULT_SLOW_SECONDS : /^\d{1,6}$/u.test(text) ? Number(text) : Number.NaN;
  if (seconds >= 1 && seconds <= SLOW_LIMIT_SECONDS) return { kind: "slow", seconds };
  return mistake(`slow takes whole seconds from 1 to ${SLOW_LIMIT_SECONDS}; try slow 10.`);
}

function workOn(text: string): DemoCommand {
  // One that is told to work on being told to work could go on for as long as its text.
  const command = /^work\b/iu.test(text) ? undefined : parseDemoCommand(text);
  switch (command?.kind) {
    case "fail":
    case "slow":
    case "count-words":
      return { kind: "work", command };
    default:
      return { kind: "other" };
  }
}

function mistake(text: string): DemoCommand {
  return { kind: "mistake", text };
}
