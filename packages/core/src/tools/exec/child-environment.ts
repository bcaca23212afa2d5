import { isAbsolute, relative, sep } from "node:path";

/** What programs need to find and speak; everything else of the gateway's environment stays with it. */
const PASSED: readonly string[] = ["LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_COLLATE", "LC_TIME", "TZ", "TMPDIR"];
const DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin";
/** A program that finds it in the environment of another knows whose it is. */
export const EXEC_MARK = "BANYAN_EXEC";

export interface EnvironmentFacts {
  /** The gateway's own. */
  readonly own: Readonly<Record<string, string | undefined>>;
  /** Absolute. */
  readonly workspaceDir: string;
  readonly scrub: (text: string) => string;
  /** Unique for the call. */
  readonly mark: string;
}

/**
 * The environment of a program that an agent starts, by an allow-list: no secret of the gateway is in it. `HOME` is the
 * workspace, for keys lie in the real one. No folder of programs is one that the agent could write to.
 */
export function buildChildEnvironment({ own, workspaceDir, scrub, mark }: EnvironmentFacts): Record<string, string> {
  const passed = PASSED.flatMap((name) => {
    const value = own[name];
    return value === undefined || scrub(value) !== value ? [] : [[name, value] as const];
  });
  const folders = (own.PATH ?? DEFAULT_PATH).split(":").filter((folder) => isForeign(folder, workspaceDir));
  return {
    ...Object.fromEntries(passed),
    PATH: folders.length === 0 ? DEFAULT_PATH : folders.join(":"),
    HOME: workspaceDir,
    TERM: "dumb",
    [EXEC_MARK]: mark,
  };
}

function isForeign(folder: string, workspaceDir: string): boolean {
  if (!isAbsolute(folder)) return false;
  const way = relative(workspaceDir, folder);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}
