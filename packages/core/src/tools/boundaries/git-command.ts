/** The words of a git command that are open with `git`: closed lists. All others need a separate permission. */

/** Options before the subcommand that take no value. git accepts none of them shortened. */
const FLAGS = readWords(
  "-p --paginate -P --no-pager --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs",
  "--icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice -v --version",
);

/** The value of each may follow as a word or after `=`. */
const VALUED = readWords("-C --work-tree --namespace --super-prefix --attr-source");
/** The same, for options that need a permission: the value must be skipped as well. */
const CLOSED_VALUED = readWords("-c --git-dir --config-env --list-cmds --shallow-file");

/** Subcommands that run no program named by an argument, except through the options below. */
const SUBCOMMANDS = readWords(
  "add am annotate apply blame branch cat-file check-attr check-ignore check-mailmap check-ref-format checkout cherry",
  "cherry-pick clean clone commit commit-tree count-objects describe diff diff-files diff-index diff-tree fetch",
  "for-each-ref format-patch fsck gc grep hash-object init log ls-files ls-remote ls-tree merge merge-base mv name-rev notes pull",
  "push range-diff read-tree rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show show-branch",
  "show-ref stash status switch symbolic-ref tag update-index update-ref verify-commit verify-tag version whatchanged worktree",
  "write-tree",
);

/** Options after a subcommand that name a program or settings: of every subcommand, or of the named one. */
const CLOSED_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  "": [
    "--exec",
    "--ext-diff",
    "--textconv",
    "--upload-pack",
    "--receive-pack",
    "--template",
    "--config",
    "--open-files-in-pager",
    "--separate-git-dir",
    "--extcmd",
    "--help",
  ],
  clone: ["-c", "-u"],
  rebase: ["-x"],
  grep: ["-O"],
};

/** Options that keep a subcommand that shows differences from running the programs that a repository names for it. */
const WITHOUT_PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  blame: ["--no-textconv"],
  annotate: ["--no-textconv"],
  grep: ["--no-textconv"],
  ...Object.fromEntries(
    ["diff", "diff-files", "diff-index", "diff-tree", "format-patch", "log", "reflog", "show", "whatchanged"].map(
      (name) => [name, ["--no-ext-diff", "--no-textconv"]],
    ),
  ),
};

const REFLOG_SUBCOMMANDS = readWords("expire delete exists list drop write");

interface GitHead {
  /** The position of the subcommand; the number of arguments if there is none. */
  readonly at: number;
  /** Options before it that are not open. */
  readonly closed: readonly string[];
}

/** Reads from left to right as git does: the word after an option with a value is always that value. */
export function readGitHead(args: readonly string[]): GitHead {
  const closed: string[] = [];
  let at = 0;
  while (args[at]?.startsWith("-")) {
    const arg = args[at] ?? "";
    const [name = ""] = arg.split("=");
    const isOpen = FLAGS.has(arg) || VALUED.has(arg) || (VALUED.has(name) && name.startsWith("--"));
    if (!isOpen) closed.push(name);
    at += VALUED.has(arg) || CLOSED_VALUED.has(arg) ? 2 : 1;
  }
  return { at: Math.min(at, args.length), closed };
}

/** Whether the subcommand, an alias or a program of git's folder, is not open with `git`. */
export function isClosedSubcommand(subcommand: string): boolean {
  return !SUBCOMMANDS.has(subcommand);
}

/** Lists the options that need a permission after this subcommand. */
export function listClosedOptions(subcommand: string): readonly string[] {
  const own = Object.hasOwn(CLOSED_OPTIONS, subcommand) ? (CLOSED_OPTIONS[subcommand] ?? []) : [];
  return [...(CLOSED_OPTIONS[""] ?? []), ...own];
}

/** Returns the arguments with the options that switch those programs off, right after the subcommand. */
export function withoutPrograms(args: readonly string[]): readonly string[] {
  const { at } = readGitHead(args);
  const name = args[at] ?? "";
  const isReflog = name === "reflog";
  // Its own subcommands show no difference, except the default one.
  if (!Object.hasOwn(WITHOUT_PROGRAMS, name) || (isReflog && REFLOG_SUBCOMMANDS.has(args[at + 1] ?? ""))) return args;
  const end = isReflog && args[at + 1] === "show" ? at + 2 : at + 1;
  return [...args.slice(0, end), ...(WITHOUT_PROGRAMS[name] ?? []), ...args.slice(end)];
}

export function readWords(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
