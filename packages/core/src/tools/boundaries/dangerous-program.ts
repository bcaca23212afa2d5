import { basename } from "node:path";

/**
 * Programs that an agent does not need: those that start other programs from a text and so avoid every rule, change the
 * user, change the machine, end foreign processes, or outlive the call.
 */
const DANGEROUS = buildWordSet(
  "sh bash zsh dash ash ksh csh tcsh fish busybox toybox pwsh powershell cmd eval exec source",
  "env xargs nohup setsid timeout nice ionice stdbuf script watch parallel time flock chrt taskset command unbuffer expect",
  "sudo su doas pkexec runuser setpriv newgrp chroot unshare nsenter capsh gosu",
  "shutdown reboot halt poweroff init telinit systemctl service launchctl mount umount losetup swapoff sysctl",
  "mkfs fdisk sfdisk parted wipefs dd shred insmod rmmod modprobe iptables nft ip passwd useradd usermod userdel visudo",
  "kill killall pkill skill crontab at batch atd screen tmux dtach disown gdb strace ptrace ltrace",
  "ssh scp sftp telnet nc ncat netcat socat docker podman nerdctl kubectl lxc machinectl systemd-run",
  "prlimit setarch linux32 linux64 i386 x86_64 start-stop-daemon run-parts numactl schedtool choom catchsegv eatmydata fakeroot",
  "faketime daemonize runcon sg fakechroot proot bwrap firejail mosh-server rsh rlogin runit runsv s6-setsid tini dumb-init",
);

/**
 * Programs that by nature run code of the folder they work in, or of their arguments: rules for other programs do not
 * apply inside them.
 */
const RUNS_CODE = buildWordSet(
  "npm npx pnpm pnpx yarn bun bunx deno node tsx ts-node python python2 python3 pypy pypy3 perl ruby php lua tclsh rscript java",
  "make gmake cmake ctest ninja meson gradle gradlew mvn ant cargo go dotnet rake bundle just task tox nox pytest pip pip3 uv poetry",
  "jest vitest mocha tsc eslint prettier awk gawk mawk nawk sed gsed ed ex vi vim nvim emacs less more man pre-commit",
  "nodejs perl5 sqlite3 sqlite m4 gcc cc g++ c++ clang clang++ tcc ld as rustc javac kotlin scala groovy julia r guile racket sbcl",
  "erl elixir iex ghci runghc ocaml swift zig wish expectk gnuplot octave psql mysql mariadb rvim view rview vimdiff vimtutor nano",
  "bc dc gdbserver busted scons bazel buck ant invoke fab ansible terraform composer bundler gem irb jshell osascript",
);

/** Options that make an otherwise harmless program run another one, or delete far more than its arguments say. */
const DANGEROUS_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  find: ["-exec", "-execdir", "-ok", "-okdir", "-delete"],
  fd: ["-x", "-X", "--exec", "--exec-batch"],
  fdfind: ["-x", "-X", "--exec", "--exec-batch"],
  rm: ["--no-preserve-root"],
  rg: ["--pre", "--hostname-bin"],
  rsync: ["-e", "--rsh", "--rsync-path"],
  sort: ["--compress-program"],
  split: ["--filter"],
  tar: [
    "-I",
    "-F",
    "--to-command",
    "--checkpoint-action",
    "--use-compress-program",
    "--info-script",
    "--new-volume-script",
    "--rsh-command",
    "--rmt-command",
  ],
  wget: ["-e", "--execute", "--use-askpass"],
  zip: ["-TT", "--unzip-command"],
};

export function isDangerousProgram([program = ""]: readonly string[]): boolean {
  return includesProgram(DANGEROUS, program);
}

/** Whether it runs a text that the agent can write, for example a script of the workspace. */
export function runsCodeByNature([program = ""]: readonly string[]): boolean {
  return includesProgram(RUNS_CODE, program);
}

/** Lists the words of a command that need a separate permission: `git -c`, `git config`, `find -exec`. */
export function listDangerousWords(argv: readonly string[]): readonly string[] {
  const [name = "", ...args] = splitProgram(argv);
  if (name === "git") return listGitWords(args);
  const options = Object.hasOwn(DANGEROUS_OPTIONS, name) ? (DANGEROUS_OPTIONS[name] ?? []) : [];
  // `tar cIf` takes its options without a dash.
  const bundled = name === "tar" && /^[A-Za-z]+$/.test(args[0] ?? "") ? [`-${args[0]}`, ...args.slice(1)] : args;
  return listOptions(bundled, options);
}

function listGitWords(args: readonly string[]): readonly string[] {
  const { at, closed } = readGitHead(args);
  const subcommand = args[at];
  if (subcommand === undefined) return closed;
  return [
    ...closed,
    ...(isClosedSubcommand(subcommand) ? [subcommand] : []),
    ...listOptions(args.slice(at + 1), listClosedOptions(subcommand)),
  ];
}

/** Splits off the program by its name alone, with `git-push` as `git push`; `/bin/SH` is `sh`. */
export function splitProgram([program = "", ...args]: readonly string[]): readonly string[] {
  const name = basename(program).toLowerCase();
  return name.startsWith("git-") ? ["git", name.slice("git-".length), ...args] : [name, ...args];
}

/** Disables the programs that a repository's own settings name for showing a difference. */
export function disableDiffPrograms(argv: readonly string[]): readonly string[] {
  const [program = "", ...args] = argv;
  return basename(program) === "git" ? [program, ...addDiffFlags(args)] : argv;
}

export function isGit(argv: readonly string[]): boolean {
  return splitProgram(argv)[0] === "git";
}

function listOptions(args: readonly string[], options: readonly string[]): readonly string[] {
  return options.filter((option) => args.some((arg) => matchesOption(arg, option)));
}

/** Programs accept `--upload-p=x` for `--upload-pack=x`, `-xfI` for `-x -f -I`, and `-Ix` for `-I x`. */
function matchesOption(arg: string, option: string): boolean {
  const [name = ""] = arg.split("=");
  if (option.startsWith("--")) return name.length > 2 && name.startsWith("--") && option.startsWith(name);
  if (arg === option || name === option) return true;
  return option.length === 2 && /^-[A-Za-z0-9]/.test(arg) && arg.includes(option.charAt(1));
}

/** Recognizes `/bin/sh`, `SH` on a file system that ignores case, `mkfs.ext4`, `python3.12`, `gcc-12`. */
function includesProgram(names: ReadonlySet<string>, program: string): boolean {
  const name = basename(program).toLowerCase();
  const [bare = name] = name.split(".");
  const versioned = bare.replace(/-?[0-9]{1,9}$/, "");
  return [name, bare, versioned].some((each) => names.has(each));
}

/**
 * Options before the subcommand that are open with `git` and take no value; git accepts none of them shortened. What is
 * not in this list and the next ones needs a separate permission.
 */
const OPEN_FLAGS = buildWordSet(
  "-p --paginate -P --no-pager --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs",
  "--icase-pathspecs --no-optional-locks --no-lazy-fetch --no-advice -v --version",
);

/** Open options with a value, as the next word or after `=`. */
const VALUE_OPTIONS = buildWordSet("-C --work-tree --namespace --super-prefix --attr-source");
/** Options with a value that need a permission: the value must be skipped as well. */
const CLOSED_VALUE_OPTIONS = buildWordSet("-c --git-dir --config-env --list-cmds --shallow-file");

/** Subcommands that run no program named by an argument, except through the options below. */
const OPEN_SUBCOMMANDS = buildWordSet(
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
const DIFF_FLAGS: Readonly<Record<string, readonly string[]>> = {
  blame: ["--no-textconv"],
  annotate: ["--no-textconv"],
  grep: ["--no-textconv"],
  ...Object.fromEntries(
    ["diff", "diff-files", "diff-index", "diff-tree", "format-patch", "log", "reflog", "show", "whatchanged"].map(
      (name) => [name, ["--no-ext-diff", "--no-textconv"]],
    ),
  ),
};

const REFLOG_SUBCOMMANDS = buildWordSet("expire delete exists list drop write");

interface GitHead {
  /** The position of the subcommand; the number of arguments if there is none. */
  readonly at: number;
  /** Options before it that are not open. */
  readonly closed: readonly string[];
}

/** Reads from left to right as git does: the word after an option with a value is always that value. */
function readGitHead(args: readonly string[]): GitHead {
  const closed: string[] = [];
  let at = 0;
  while (args[at]?.startsWith("-")) {
    const arg = args[at] ?? "";
    const [name = ""] = arg.split("=");
    const isOpen = OPEN_FLAGS.has(arg) || VALUE_OPTIONS.has(arg) || (VALUE_OPTIONS.has(name) && name.startsWith("--"));
    if (!isOpen) closed.push(name);
    at += VALUE_OPTIONS.has(arg) || CLOSED_VALUE_OPTIONS.has(arg) ? 2 : 1;
  }
  return { at: Math.min(at, args.length), closed };
}

/** Whether the subcommand, an alias or a program of git's folder, is not open with `git`. */
function isClosedSubcommand(subcommand: string): boolean {
  return !OPEN_SUBCOMMANDS.has(subcommand);
}

/** Lists the options that need a permission after this subcommand. */
function listClosedOptions(subcommand: string): readonly string[] {
  const own = Object.hasOwn(CLOSED_OPTIONS, subcommand) ? (CLOSED_OPTIONS[subcommand] ?? []) : [];
  return [...(CLOSED_OPTIONS[""] ?? []), ...own];
}

/** Adds the options that disable these programs, right after the subcommand. */
function addDiffFlags(args: readonly string[]): readonly string[] {
  const { at } = readGitHead(args);
  const name = args[at] ?? "";
  const isReflog = name === "reflog";
  // Its own subcommands show no difference, except the default one.
  if (!Object.hasOwn(DIFF_FLAGS, name) || (isReflog && REFLOG_SUBCOMMANDS.has(args[at + 1] ?? ""))) return args;
  const end = isReflog && args[at + 1] === "show" ? at + 2 : at + 1;
  return [...args.slice(0, end), ...(DIFF_FLAGS[name] ?? []), ...args.slice(end)];
}

function buildWordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(" ")));
}
