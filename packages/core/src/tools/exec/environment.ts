/** The environment of a program that an agent starts, and its home folder. */
import { lstat, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, isAbsolute, join } from "node:path";
import type { Log } from "@banyan/plugin-sdk";
import { hasErrorCode } from "../failure.ts";
import { isWithin } from "../files/workspace-path.ts";

/** What programs need to find files and to choose a language; other variables of the gateway are not passed on. */
const PASSED_VARIABLES: readonly string[] = [
  "LANG",
  "LANGUAGE",
  "LC_ALL",
  "LC_CTYPE",
  "LC_COLLATE",
  "LC_TIME",
  "TZ",
  "TMPDIR",
];
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
/** The variable that marks a process with its call. */
export const EXEC_MARK = "BANYAN_EXEC";

export interface EnvironmentFacts {
  /** The gateway's. */
  readonly gatewayEnv: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly workspaceDir: string;
  /** Absolute: an empty folder that only this call uses. */
  readonly homeDir: string;
  readonly scrub: (text: string) => string;
  /** Unique for the call. */
  readonly mark: string;
}

/** Settings of git that a repository's own file cannot change. Those that normally name a program are empty. */
const GIT_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ["core.attributesFile", "/dev/null"],
  ["core.editor", ":"],
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.pager", "cat"],
  ["credential.helper", ""],
  ["gpg.program", "gpg"],
  ["gpg.ssh.program", "ssh-keygen"],
  ["gpg.x509.program", "gpgsm"],
  // A folder of the workspace that only looks like a repository has settings too.
  ["safe.bareRepository", "explicit"],
  ["sequence.editor", ":"],
];

/** git reads neither the system's nor the user's settings, and starts no program that a repository names. */
const GIT_ENVIRONMENT: Readonly<Record<string, string>> = {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_SYSTEM: "/dev/null",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_ATTR_NOSYSTEM: "1",
  GIT_TERMINAL_PROMPT: "0",
  GIT_ASKPASS: "false",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_PAGER: "cat",
  GIT_SSH_COMMAND: "ssh",
  // The other end of a local folder runs here, with that folder's settings and without these: that protocol is not
  // allowed.
  GIT_ALLOW_PROTOCOL: "http:https:ssh",
  GIT_CONFIG_COUNT: String(GIT_SETTINGS.length),
  ...Object.fromEntries(
    GIT_SETTINGS.flatMap(([key, value], at) => [
      [`GIT_CONFIG_KEY_${at}`, key],
      [`GIT_CONFIG_VALUE_${at}`, value],
    ]),
  ),
};

/**
 * Builds the environment of a program that an agent starts, by an allow-list: it contains no secret of the gateway.
 * `HOME` is empty: the real one contains keys, and files of the workspace would be settings there. `PATH` contains no
 * folder that the agent can write to.
 */
export function buildChildEnvironment({
  gatewayEnv,
  workspaceDir,
  homeDir,
  scrub,
  mark,
}: EnvironmentFacts): Record<string, string> {
  const passed = PASSED_VARIABLES.flatMap((name) => {
    const value = gatewayEnv[name];
    return value === undefined || scrub(value) !== value ? [] : [[name, value] as const];
  });
  const folders = (gatewayEnv.PATH ?? DEFAULT_PATH)
    .split(":")
    .filter((folder) => isAbsolute(folder) && !isWithin(workspaceDir, folder));
  return {
    ...Object.fromEntries(passed),
    PATH: folders.length === 0 ? DEFAULT_PATH : folders.join(":"),
    HOME: homeDir,
    TERM: "dumb",
    ...GIT_ENVIRONMENT,
    // A repository around the workspace does not belong to the agent.
    GIT_CEILING_DIRECTORIES: dirname(workspaceDir),
    [EXEC_MARK]: mark,
  };
}

/** The process id of the gateway follows. */
const HOME_NAME = /^banyan-home-(\d{1,10})-/;
/** Every call ends in less than half of this time, so an older home belongs to a gateway that was killed. */
const MAX_HOME_AGE_MS = 2 * 3_600_000;

/** Creates the home folder of a program for one call: empty and private to its owner (0700). */
export function createProgramHome(folder: string = tmpdir()): Promise<string> {
  return mkdtemp(join(folder, `banyan-home-${process.pid}-`));
}

/** Logs what it cannot remove, such as a folder that a program has made unreadable. */
export async function removeProgramHome(homeDir: string, log: Pick<Log, "warn">): Promise<void> {
  try {
    await rm(homeDir, { recursive: true, force: true, maxRetries: 2 });
  } catch (error) {
    log.warn({ err: error, homeDir }, "deleting a program's home folder failed; delete it manually");
  }
}

/**
 * Removes the homes that killed gateways of this user have left; called together with the removal of other old files.
 */
export async function removeOldHomes(nowMs: number, log: Pick<Log, "warn">, folder: string = tmpdir()): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, pid] = HOME_NAME.exec(name) ?? [];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(folder, name);
    const found = await lstat(path).catch(() => undefined);
    const isOwn = found?.isDirectory() === true && found.uid === process.getuid?.();
    if (isOwn && found.mtimeMs < nowMs - MAX_HOME_AGE_MS) await removeProgramHome(path, log);
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other failure means a living process of another user.
    return !hasErrorCode(error, "ESRCH");
  }
}
