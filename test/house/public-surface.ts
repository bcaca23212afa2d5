import { readFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "./repository.ts";
import { findImportedPath, parseSource } from "./source-file.ts";

/** The names that a module exports, re-exports of our own files followed. Types stand as `type Name`. In order. */
export function listExportedNames(path: string, seen: readonly string[] = []): readonly string[] {
  if (seen.includes(path)) return [];
  const file = parseSource(path, readFileSync(join(REPOSITORY, path), "utf8"));
  const names = file.parsed.module.staticExports
    .flatMap((statement) => statement.entries)
    .flatMap(({ exportName, isType, moduleRequest, importName }) => {
      if (exportName.kind === "Default") return ["default"];
      const source = moduleRequest === null ? undefined : findImportedPath(file, moduleRequest.value);
      const listed = source === undefined ? [] : listExportedNames(source, [...seen, path]);
      if (exportName.kind === "None") return source === undefined ? [`* from ${moduleRequest?.value}`] : listed;
      const isTypeThere = listed.includes(`type ${importName.name}`);
      return [isType || isTypeThere ? `type ${exportName.name}` : `${exportName.name}`];
    });
  return [...new Set(names)].sort();
}
