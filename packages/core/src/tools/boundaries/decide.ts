import { relative, sep } from "node:path";
import type { CommandPermission, PathPermission } from "../../config/shapes/tool-boundaries.ts";
import type { AgentBoundaries } from "../limits.ts";
import { isDangerousProgram, listDangerousWords, runsCodeByNature, splitProgram } from "./dangerous-program.ts";

/** `list`: the names in a folder. */
export type PathAccess = "read" | "write" | "list";

export type PathVerdict =
  | { readonly kind: "open" | "ask" }
  /** A sentence for the agent, behind the path. */
  | { readonly kind: "closed"; readonly why: string };

const OPEN: PathVerdict = { kind: "open" };

/** What all boundaries together say of a path without links: one that closes it is enough, then one that asks. */
export function decidePath(realPath: string, access: PathAccess, boundaries: readonly AgentBoundaries[]): PathVerdict {
  const verdicts = boundaries.map((each) => decidePathByAgent(realPath, access, each));
  const closed = verdicts.find(({ kind }) => kind === "closed");
  return closed ?? verdicts.find(({ kind }) => kind === "ask") ?? OPEN;
}

function decidePathByAgent(realPath: string, access: PathAccess, { baseDir, rules }: AgentBoundaries): PathVerdict {
  const { allow, block = [], permissions = {} } = rules.paths ?? {};
  const relativePath = relative(baseDir, realPath).split(sep).join("/");
  const path = relativePath === "" ? "." : relativePath;
  if (block.some((pattern) => matchPath(pattern, path) === "yes")) return closePath("is closed to you; leave it alone.");
  if (allow !== undefined && !isAllowed(allow, path, access))
    return closePath(`is outside what is open to you: ${allow.join(", ") || "nothing"}.`);
  switch (findPathPermission(permissions, path)) {
    case "deny":
      return closePath("is closed to you; leave it alone.");
    case "read":
      return access === "write" ? closePath("may be read, not written.") : OPEN;
    case "ask":
      return { kind: "ask" };
    default:
      return OPEN;
  }
}

/** What lies outside of whose rules these are is never on their list. A folder above what is allowed can be listed: only what is allowed is shown in it. */
function isAllowed(allow: readonly string[], path: string, access: PathAccess): boolean {
  if (path === ".." || path.startsWith("../")) return false;
  const matches = allow.map((pattern) => matchPath(pattern, path));
  return matches.includes("yes") || (access === "list" && matches.includes("above"));
}

/** The strictest first. */
const PATH_STRICTNESS: readonly PathPermission[] = ["deny", "ask", "read", "write"];

/** The longest pattern that means the path decides; of two as long, the stricter. */
function findPathPermission(
  permissions: Readonly<Record<string, PathPermission>>,
  path: string,
): PathPermission | undefined {
  const meant = Object.entries(permissions).filter(([pattern]) => matchPath(pattern, path) === "yes");
  const longest = Math.max(...meant.map(([pattern]) => pattern.length));
  const said = meant.filter(([pattern]) => pattern.length === longest).map(([, permission]) => permission);
  return PATH_STRICTNESS.find((permission) => said.includes(permission));
}

function closePath(why: string): PathVerdict {
  return { kind: "closed", why };
}

export type CommandVerdict =
  | { readonly kind: "open" | "ask" }
  /** A sentence for the agent. */
  | { readonly kind: "closed"; readonly why: string };

/** A command and the words in it, or in the settings it reads, that need a separate permission. */
interface CommandWords {
  readonly argv: readonly string[];
  readonly words: readonly string[];
}

/**
 * Decides about a command by all boundaries together. Programs that start others or reach beyond the workspace are
 * closed, and so are arguments that make a harmless program do so, unless every agent of the lineage names them.
 * `settings`: what the command reads in addition and must be named as well.
 */
export function decideCommand(
  argv: readonly string[],
  boundaries: readonly AgentBoundaries[],
  settings: readonly string[] = [],
): CommandVerdict {
  const command = { argv, words: [...listDangerousWords(argv), ...settings] };
  const verdicts = boundaries.map((each) => decideCommandByAgent(command, each));
  const closed = verdicts.find(({ kind }) => kind === "closed");
  if (closed !== undefined) return closed;
  const isNamed = (names: (each: AgentBoundaries) => boolean) => boundaries.length > 0 && boundaries.every(names);
  const program = quoteProgram(argv);
  if (isDangerousProgram(argv) && !isNamed((each) => namesProgram(command, each)))
    return {
      kind: "closed",
      why: `${program} is a dangerous command. Run the needed program directly, or explain in your answer why you need it.`,
    };
  for (const word of command.words)
    if (!isNamed((each) => namesWord(argv, word, each)))
      return {
        kind: "closed",
        why: `${program} with ${JSON.stringify(word)} can run other programs and needs separate permission. Omit it, or ask the operator to add ${JSON.stringify(`${splitProgram(argv)[0] ?? ""} ${word}`)} to the agent's commands.`,
      };
  return verdicts.find(({ kind }) => kind === "ask") ?? { kind: "open" };
}

function decideCommandByAgent(command: CommandWords, boundaries: AgentBoundaries): CommandVerdict {
  const { argv } = command;
  const { allow, block = [], permissions = {} } = boundaries.rules.commands ?? {};
  const no = { kind: "closed", why: `${quoteProgram(argv)} is not allowed.` } as const;
  if (block.some((pattern) => matchesLoosely(pattern, command))) return no;
  if (allow !== undefined && !allow.some((pattern) => matchesExactly(pattern, command)))
    return {
      kind: "closed",
      why: `${quoteProgram(argv)} is not an allowed command. Allowed: ${allow.join(", ") || "nothing"}.`,
    };
  const permission = findCommandPermission(permissions, command);
  if (permission === "deny") return no;
  const isBounded = allow !== undefined || block.length > 0 || Object.values(permissions).includes("deny");
  if (isBounded && runsCodeByNature(argv) && !namesProgram(command, boundaries))
    return {
      kind: "closed",
      why: `${quoteProgram(argv)} runs code of the workspace, which could call forbidden programs. Avoid it, or ask the operator to add it to the agent's commands.`,
    };
  return { kind: permission === "ask" ? "ask" : "open" };
}

/** A rule that names the program itself, not a `*`. */
function namesProgram(command: CommandWords, boundaries: AgentBoundaries): boolean {
  return listNamed(boundaries).some(
    (pattern) => !readWords(pattern)[0]?.includes("*") && matchesExactly(pattern, command),
  );
}

function namesWord(argv: readonly string[], word: string, boundaries: AgentBoundaries): boolean {
  return listNamed(boundaries).some((pattern) => matchesSeparateWord(pattern, argv, word));
}

function listNamed({ rules }: AgentBoundaries): readonly string[] {
  const { allow = [], permissions = {} } = rules.commands ?? {};
  return [...allow, ...Object.keys(permissions).filter((pattern) => permissions[pattern] !== "deny")];
}

const COMMAND_STRICTNESS: readonly CommandPermission[] = ["deny", "ask", "allow"];

/** As for paths: the longest pattern decides; of two equally long ones, the stricter. */
function findCommandPermission(
  permissions: Readonly<Record<string, CommandPermission>>,
  command: CommandWords,
): CommandPermission | undefined {
  const meant = Object.entries(permissions).filter(([pattern, permission]) =>
    permission === "allow" ? matchesExactly(pattern, command) : matchesLoosely(pattern, command),
  );
  const longest = Math.max(...meant.map(([pattern]) => pattern.length));
  const said = meant.filter(([pattern]) => pattern.length === longest).map(([, permission]) => permission);
  return COMMAND_STRICTNESS.find((permission) => said.includes(permission));
}

/** Compares the program as it was written: `./git` is not `git`, for the agent may have created it. */
function matchesExactly(pattern: string, { argv, words }: CommandWords): boolean {
  const isPrefix = readWords(pattern).every((word, at) => {
    const given = argv[at];
    return given !== undefined && matchesPattern(word, given);
  });
  return isPrefix || words.some((word) => matchesSeparateWord(pattern, argv, word));
}

/** `find -exec` and `git config`: the separate word, anywhere among the arguments. */
function matchesSeparateWord(pattern: string, argv: readonly string[], word: string): boolean {
  const [program = "", named, ...rest] = readWords(pattern);
  return program === argv[0] && named === word && rest.length === 0;
}

/** Matches any path to the program, and options before a subcommand: `git -C . push` is `git push`. */
function matchesLoosely(pattern: string, command: CommandWords): boolean {
  if (matchesExactly(pattern, command)) return true;
  const [wanted = "", ...words] = readWords(pattern.toLowerCase());
  const [program = "", ...args] = splitProgram(command.argv).map((word) => word.toLowerCase());
  return matchesPattern(wanted, program) && followsOptions(words, args);
}

/** Whether the words come in this order, with nothing before each of them but options and their possible values. */
function followsOptions(words: readonly string[], args: readonly string[]): boolean {
  const isSkipped = args.map((arg, at) => arg.startsWith("-") || /^-[^=]*$/.test(args[at - 1] ?? ""));
  let begins = new Set([0]);
  for (const word of words) {
    const next = new Set<number>();
    for (const [at, arg] of args.entries()) {
      if (!begins.has(at)) continue;
      if (isSkipped[at]) begins.add(at + 1);
      if (matchesPattern(word, arg)) next.add(at + 1);
    }
    begins = next;
  }
  return begins.size > 0;
}

function readWords(pattern: string): readonly string[] {
  return pattern.split(" ").filter((word) => word !== "");
}

function quoteProgram([program = ""]: readonly string[]): string {
  return JSON.stringify(program.slice(0, 100));
}

/** `above`: something below the path may be meant. */
export type PathMatch = "yes" | "above" | "no";

const ANY_FOLDERS = "**";

/**
 * What a pattern says of a path, both relative with `/`; `.` is the folder itself. A pattern stands for what it names and all
 * below it; `*` stays within a name, `**` stands for any number of folders.
 */
export function matchPath(pattern: string, path: string): PathMatch {
  const wanted = readSegments(pattern);
  const given = readSegments(path);
  let places = skipFolders(wanted, new Set([0]));
  for (const segment of given) {
    if (places.has(wanted.length)) return "yes";
    const next = new Set<number>();
    for (const place of places) {
      const piece = wanted[place];
      if (piece === ANY_FOLDERS) next.add(place);
      else if (piece !== undefined && matchesPattern(piece, segment)) next.add(place + 1);
    }
    places = skipFolders(wanted, next);
    if (places.size === 0) return "no";
  }
  return places.has(wanted.length) ? "yes" : "above";
}

/** Without a `**` at the end, which all that lies below is meant by anyway. */
function readSegments(text: string): readonly string[] {
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.at(-1) === ANY_FOLDERS ? segments.slice(0, -1) : segments;
}

/** A `**` also stands for no folder at all. */
function skipFolders(wanted: readonly string[], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places);
  for (const place of all) if (wanted[place] === ANY_FOLDERS) all.add(place + 1);
  return all;
}

/**
 * Whether a pattern stands for a word: `*` is any number of characters, all else is itself. At worst the product of the
 * two lengths, whatever they are: there is nothing to go back over but the last `*`.
 */
export function matchesPattern(pattern: string, word: string): boolean {
  let inPattern = 0;
  let inWord = 0;
  let star = -1;
  let retry = 0;
  while (inWord < word.length) {
    if (pattern[inPattern] === "*") {
      star = inPattern;
      inPattern += 1;
      retry = inWord;
    } else if (inPattern < pattern.length && pattern[inPattern] === word[inWord]) {
      inPattern += 1;
      inWord += 1;
    } else if (star >= 0) {
      retry += 1;
      inPattern = star + 1;
      inWord = retry;
    } else return false;
  }
  while (pattern[inPattern] === "*") inPattern += 1;
  return inPattern === pattern.length;
}
