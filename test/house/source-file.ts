import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ParseResult, parseSync, Visitor } from "oxc-parser";
import { formatPath, listFiles, REPOSITORY } from "./repository.ts";

/** A TypeScript file of ours, parsed. What a rule does not ask for is not worked out. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly parsed: ParseResult;
}

export function parseSource(path: string, text: string): SourceFile {
  return { path, text, parsed: parseSync(path, text, { lang: "ts", sourceType: "module" }) };
}

/** Every TypeScript file below `packages/`, `plugins/` and `test/`. */
export function readSources(): readonly SourceFile[] {
  return ["packages", "plugins", "test"]
    .flatMap((folder) => listFiles(folder))
    .filter((path) => path.endsWith(".ts"))
    .map((path) => parseSource(path, readFileSync(join(REPOSITORY, path), "utf8")));
}

/** Below some package's `src/`: what is published. */
export function isProduct(file: SourceFile): boolean {
  return /^(packages|plugins)\/[^/]+\/src\//.test(file.path);
}

/** Every module the file names: imports and re-exports, of values and of types, static and dynamic. */
export function listImports({ text, parsed }: SourceFile): readonly string[] {
  const specifiers = [
    ...parsed.module.staticImports.map((statement) => statement.moduleRequest.value),
    ...parsed.module.staticExports.flatMap((statement) => statement.entries.map((entry) => entry.moduleRequest?.value)),
    ...parsed.module.dynamicImports.map(({ moduleRequest: { start, end } }) => findLiteral(text.slice(start, end))),
  ].filter((specifier) => specifier !== undefined);
  if (text.includes("import(")) {
    const visitor = new Visitor({ TSImportType: (node) => void specifiers.push(node.source.value) });
    visitor.visit(parsed.program);
  }
  return [...new Set(specifiers)];
}

/** The path that a relative import leads to; undefined for a package. */
export function findImportedPath(file: SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith(".")) return undefined;
  return formatPath(join(REPOSITORY, dirname(file.path), specifier));
}

/** The text with its comments blanked; every character keeps its place. */
export function blankComments({ text, parsed }: SourceFile): string {
  let code = text;
  for (const { start, end } of parsed.comments) {
    code = code.slice(0, start) + code.slice(start, end).replaceAll(/[^\n]/g, " ") + code.slice(end);
  }
  return code;
}

/** `path:line` for each place where the pattern matches. */
export function findPlaces(path: string, text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => formatPlace(path, text, match.index, match[0]));
}

export function formatPlace(path: string, text: string, index: number, what: string): string {
  return `${path}:${text.slice(0, index).split("\n").length} ${what.trim()}`;
}

function findLiteral(source: string): string | undefined {
  return /^["'`](.*)["'`]$/.exec(source)?.[1];
}
