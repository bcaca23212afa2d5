import { type ResolveFnOutput, type ResolveHookContext, registerHooks } from "node:module";
import { fileURLToPath } from "node:url";

/** The host recognises a plugin's errors by their class, so a process has one copy of these: its own. */
const OWN = /^(?:banyan|@banyan\/plugin-sdk)(?:\/|$)/;
/** An installed one is used; without one, the program's. */
const LENT = /^zod(?:\/|$)/;
/** The codes of an import and of a `require` whose package is in no folder above. */
const NOT_FOUND: ReadonlySet<unknown> = new Set(["ERR_MODULE_NOT_FOUND", "MODULE_NOT_FOUND"]);
const TYPESCRIPT_MODULE = "module-typescript";

type NextResolve = (specifier: string, context?: Partial<ResolveHookContext>) => ResolveFnOutput;

/**
 * Lets configurations and plugins run in any folder, with nothing installed there. Called once per process, before the
 * first such file is imported.
 */
export function prepareUserModules(): void {
  registerHooks({ resolve: resolveUserModule });
}

/**
 * Resolves an import: Banyan's packages from the running program, zod from the folder or else from the running
 * program, everything else as Node does. Throws as Node does; for a path that Banyan lacks, with the paths it has.
 */
export function resolveUserModule(
  specifier: string,
  context: ResolveHookContext,
  nextResolve: NextResolve,
): ResolveFnOutput {
  const here = { ...context, parentURL: import.meta.url };
  if (OWN.test(specifier)) return resolveOwn(specifier, context.parentURL, () => nextResolve(specifier, here));
  try {
    return asModule(nextResolve(specifier, context), context.conditions);
  } catch (error) {
    if (!LENT.test(specifier) || !NOT_FOUND.has(readCode(error))) throw error;
    return nextResolve(specifier, here);
  }
}

/** Node's own message would name this file as the importer. */
function resolveOwn(specifier: string, parentURL: string | undefined, resolve: () => ResolveFnOutput): ResolveFnOutput {
  try {
    return resolve();
  } catch (cause) {
    const importer = parentURL?.startsWith("file:") ? fileURLToPath(parentURL) : "a module";
    throw new Error(
      `Cannot find '${specifier}' imported from ${importer}: Banyan has banyan, banyan/plugin and @banyan/plugin-sdk`,
      { cause },
    );
  }
}

/**
 * A `.ts` file is an ES module, whatever the package.json above it says: `npm init` writes `"type": "commonjs"`, and
 * `npm install` writes no type.
 */
function asModule(resolved: ResolveFnOutput, conditions: readonly string[]): ResolveFnOutput {
  const isImported = conditions.includes("import") && resolved.url.endsWith(".ts");
  if (!isImported || resolved.format === TYPESCRIPT_MODULE) return resolved;
  return { ...resolved, format: TYPESCRIPT_MODULE };
}

function readCode(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
