import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listNames, REPOSITORY } from "./repository.ts";

type Texts = Readonly<Record<string, string>>;

/** What the rules and the packing read of a package.json. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description?: string | undefined;
  readonly keywords: readonly string[];
  readonly license?: string | undefined;
  readonly type?: string | undefined;
  readonly engines: Texts;
  readonly files: readonly string[];
  readonly scripts: Texts;
  readonly bin: Texts;
  readonly exports: Texts;
  /** What pnpm puts in the place of `exports` and `bin` when it packs. */
  readonly publishConfig: { readonly exports: Readonly<Record<string, Texts>>; readonly bin: Texts };
  readonly dependencies: Texts;
  readonly devDependencies: Texts;
  readonly peerDependencies: Texts;
  readonly optionalDependencies: Texts;
}

const texts = z.record(z.string(), z.string()).default({});

const manifestSchema: z.ZodType<Manifest> = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string().optional(),
  keywords: z.array(z.string()).default([]),
  license: z.string().optional(),
  type: z.string().optional(),
  engines: texts,
  files: z.array(z.string()).default([]),
  scripts: texts,
  bin: texts,
  exports: texts,
  publishConfig: z
    .object({ exports: z.record(z.string(), texts).default({}), bin: texts })
    .default({ exports: {}, bin: {} }),
  dependencies: texts,
  devDependencies: texts,
  peerDependencies: texts,
  optionalDependencies: texts,
});

/** One of the packages below `packages/` and `plugins/`; all of them are published. */
export interface WorkspacePackage {
  readonly folder: string;
  readonly name: string;
  readonly manifest: Manifest;
}

export function readManifest(folder: string): Manifest {
  return manifestSchema.parse(JSON.parse(readFileSync(join(REPOSITORY, folder, "package.json"), "utf8")));
}

export function readWorkspacePackages(): readonly WorkspacePackage[] {
  return ["packages", "plugins"]
    .flatMap((parent) => listNames(parent).map((name) => `${parent}/${name}`))
    .filter((folder) => existsSync(join(REPOSITORY, folder, "package.json")))
    .map((folder) => {
      const manifest = readManifest(folder);
      return { folder, name: manifest.name, manifest };
    });
}

/** The package's name in an import: `@banyan/core/x` → `@banyan/core`; undefined for paths and Node's own modules. */
export function findPackageName(specifier: string): string | undefined {
  if (specifier.startsWith(".") || specifier.startsWith("node:") || specifier.startsWith("#")) return undefined;
  const [first = "", second] = specifier.split("/");
  return first.startsWith("@") && second !== undefined ? `${first}/${second}` : first;
}
