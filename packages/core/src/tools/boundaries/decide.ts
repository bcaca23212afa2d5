/** Decides by the boundaries of agents which paths and commands are open to them. Pure. */
import { relative, sep } from "node:path";
import type { CommandPermission, PathPermission, ToolBoundaries } from "../../config/shapes/tool-boundaries.ts";
import { isDangerousProgram, listDangerousWords, runsCodeByNature, splitProgram } from "./dangerous-program.ts";

/** The boundaries that one agent of a session's lineage sets. All of them apply: those of a child are never wider. */
export interface AgentBoundaries {
  /** Absolute: the folder that its path patterns are relative to. */
  readonly baseDir: string;
  readonly rules: ToolBoundaries;
}

/** `list` reads the names in a folder. */
export type PathAccess = "read" | "write" | "list";

/**
 * What boundaries decide. `why` is for the agent: the end of a sentence that begins with the path, or a whole sentence
 * about a command.
 */
export type BoundaryVerdict = { readonly kind: "open" | "ask" } | { readonly kind: "closed"; readonly why: string };

const OPEN: BoundaryVerdict = { kind: "open" };
/** The strictest first. */
const PATH_STRICTNESS: readonly PathPermission[] = ["deny", "ask", "read", "write"];
const COMMAND_STRICTNESS: readonly CommandPermission[] = ["deny", "ask", "allow"];

/** Decides about a path without links by all boundaries together: one that closes it is enough, then one that asks. */
export function decidePath(
  realPath: string,
  access: PathAccess,
  boundaries: readonly AgentBoundaries[],
): BoundaryVerdict {
  const verdicts = boundaries.map((each) => decidePathByAgent(realPath, access, each));
  return findVerdict(verdicts, "closed") ?? findVerdict(verdicts, "ask") ?? OPEN;
}

function decidePathByAgent(realPath: string, access: PathAccess, { baseDir, rules }: AgentBoundaries): BoundaryVerdict {
  const { allow, block = [], permissions = {} } = rules.paths ?? {};
  const relativePath = relative(baseDir, realPath).split(sep).join("/");
  const path = relativePath === "" ? "." : relativePath;
  if (block.some((pattern) => matchPath(pattern, path) === "yes"))
    return closePath("is closed to you; leave it alone.");
  if (allow !== undefined && !isAllowed(allow, path, access))
    return closePath(`is outside what is open to you: ${allow.join(", ") || "nothing"}.`);
  switch (findPermission(permissions, PATH_STRICTNESS, (pattern) => matchPath(pattern, path) === "yes")) {
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

/**
 * A path outside the base folder is never allowed. A folder above an allowed path can be listed: the list shows only
 * what is allowed.
 */
function isAllowed(allow: readonly string[], path: string, access: PathAccess): boolean {
  if (path === ".." || path.startsWith("../")) return false;
  const matches = allow.map((pattern) => matchPath(pattern, path));
  return matches.includes("yes") || (access === "list" && matches.includes("above"));
}

function closePath(why: string): BoundaryVerdict {
  return { kind: "closed", why };
}

function findVerdict(
  verdicts: readonly BoundaryVerdict[],
  wanted: BoundaryVerdict["kind"],
): BoundaryVerdict | undefined {
  return verdicts.find(({ kind }) => kind === wanted);
}

/** The longest pattern that matches decides; of equally long ones, the strictest. */
function findPermission<P>(
  permissions: Readonly<Record<string, P>>,
  strictness: readonly P[],
  matches: (pattern: string, permission: P) => boolean,
): P | undefined {
  const matching = Object.entries(permissions).filter(([pattern, permission]) => matches(pattern, permission));
  const longest = Math.max(...matching.map(([pattern]) => pattern.length));
  const decisive = matching.filter(([pattern]) => pattern.length === longest).map(([, permission]) => permission);
  return strictness.find((permission) => decisive.includes(permission));
}

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
): BoundaryVerdict {
  const command = { argv, words: [...listDangerousWords(argv), ...settings] };
  const verdicts = boundaries.map((each) => decideCommandByAgent(command, each));
  const closed = findVerdict(verdicts, "closed");
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
  return findVerdict(verdicts, "ask") ?? OPEN;
}

function decideCommandByAgent(command: CommandWords, boundaries: AgentBoundaries): BoundaryVerdict {
  const { argv } = command;
  const { allow, block = [], permissions = {} } = boundaries.rules.commands ?? {};
  const no = { kind: "closed", why: `${quoteProgram(argv)} is not allowed.` } as const;
  if (block.some((pattern) => matchesLoosely(pattern, command))) return no;
  if (allow !== undefined && !allow.some((pattern) => matchesExactly(pattern, command)))
    return {
      kind: "closed",
      why: `${quoteProgram(argv)} is not an allowed command. Allowed: ${allow.join(", ") || "nothing"}.`,
    };
  const permission = findPermission(permissions, COMMAND_STRICTNESS, (pattern, given) =>
    given === "allow" ? matchesExactly(pattern, command) : matchesLoosely(pattern, command),
  );
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

/** `above`: the pattern may match something below the path. */
type PathMatch = "yes" | "above" | "no";

const ANY_FOLDERS = "**";

/**
 * Matches a path with a pattern, both relative with `/`; `.` is the base folder. A pattern matches what it names and
 * everything below it; `*` stays within a name, `**` is any number of folders.
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

/** Removes a `**` at the end: a pattern matches everything below it anyway. */
function readSegments(text: string): readonly string[] {
  const segments = text.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.at(-1) === ANY_FOLDERS ? segments.slice(0, -1) : segments;
}

/** A `**` also matches no folder. */
function skipFolders(wanted: readonly string[], places: ReadonlySet<number>): Set<number> {
  const all = new Set(places);
  for (const place of all) if (wanted[place] === ANY_FOLDERS) all.add(place + 1);
  return all;
}

/**
 * Whether a pattern matches a word: `*` is any number of characters, every other character is itself. Takes at most the
 * product of the two lengths, because it goes back only to the last `*`.
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
