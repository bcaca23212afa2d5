import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { listNames, REPOSITORY } from "./repository.ts";

const dependencies = z.record(z.string(), z.string()).default({});
const exportTargets = z.record(z.string(), z.string());

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  private: z.boolean().default(false),
  license: z.string().optional(),
  type: z.string().optional(),
  engines: z.record(z.string(), z.string()).default({}),
  files: z.array(z.string()).default([]),
  scripts: z.record(z.string(), z.string()).default({}),
  bin: exportTargets.default({}),
  exports: exportTargets.default({}),
  publishConfig: z
    .object({
      exports: z.record(z.string(), exportTargets).default({}),
      bin: exportTargets.default({}),
    })
    .default({ exports: {}, bin: {} }),
  dependencies,
  devDependencies: dependencies,
  peerDependencies: dependencies,
  optionalDependencies: dependencies,
});

export type Manifest = z.infer<typeof manifestSchema>;

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
