/** Why a file of the user's, or what it imports, could not be imported. */
export interface ImportFailure {
  /** One line. Names files, packages and names, never a line of the code, where a token may stand. */
  readonly received: string;
  readonly cure: string;
}

/** Failures of the imports themselves, by what Node says of them. `$1` of a cure is the first group, `$f` the folder. */
const CURES: readonly (readonly [message: RegExp, cure: string])[] = [
  [/^Cannot find (?:package|module) '((?:@[\w.-]+\/)?[\w-][\w.-]*)['/]/, "run npm install $1 in $f"],
  [/^Cannot find module '/, "correct the path there, which has its ending, such as ./wire.ts"],
  [/^Package subpath '/, "import a path that this package has"],
  [/^The requested module '[^']*' does not provide an export named /, "import a name that this module has"],
  [/^Named export '[^']*' not found\./, "import a name that this module has"],
  [/^TypeScript .* is not supported in strip-only mode$/, "leave it out: Node removes types and compiles nothing"],
];

/**
 * Finds why importing a user's file failed. `folder` is where packages are installed for it. `undefined`: the file and all
 * that it imports were found, and running it failed.
 */
export function findImportFailure(cause: unknown, folder: string): ImportFailure | undefined {
  if (!(cause instanceof Error)) return undefined;
  const [received = ""] = cause.message.split("\n");
  for (const [message, cure] of CURES) {
    const found = message.exec(received);
    if (found !== null) return { received, cure: cure.replace("$1", () => found[1] ?? "").replace("$f", () => folder) };
  }
  return undefined;
}
