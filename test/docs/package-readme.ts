import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { listFiles, REPOSITORY } from "../house/repository.ts";

const EXAMPLE = /^```(\w+)\n([\s\S]*?)^```$/m;

/** A folder with a package that is published. */
export interface PublishedPackage {
  readonly folder: string;
  readonly name: string;
  /** Empty where there is none. */
  readonly readme: string;
  /** The first one of the README. */
  readonly example: { readonly language: string; readonly code: string } | undefined;
}

export function listPublishedPackages(): readonly PublishedPackage[] {
  return listFiles()
    .filter((path) => /^(?:packages|plugins)\/[^/]+\/package\.json$/.test(path))
    .map((path) => readPackage(dirname(path)));
}

function readPackage(folder: string): PublishedPackage {
  const manifest: { readonly name: string } = JSON.parse(read(`${folder}/package.json`));
  const readme = existsSync(join(REPOSITORY, folder, "README.md")) ? read(`${folder}/README.md`) : "";
  const [, language, code] = EXAMPLE.exec(readme) ?? [];
  const example = language === undefined || code === undefined ? undefined : { language, code };
  return { folder, name: manifest.name, readme, example };
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
