import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listFiles, REPOSITORY } from "../house/repository.ts";

/** Pages that are neither in `docs/` nor the README of a package. */
const TOP: readonly string[] = [
  "README.md",
  "ARCHITECTURE.md",
  "AGENTS.md",
  "CONTRIBUTING.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "CODE_OF_CONDUCT.md",
  "test/README.md",
];
const PAGE = /^(?:docs\/.+|(?:packages|plugins)\/[^/]+\/README)\.md$/;

/** The Markdown files of the repository that are pages of the site, from the top folder. */
export function listPages(): readonly string[] {
  return listFiles().filter(isPage);
}

export function isPage(path: string): boolean {
  return TOP.includes(path) || PAGE.test(path);
}

/** The page's first heading. */
export function readTitle(page: string): string {
  const [, title] = /^# (.+)$/m.exec(readFileSync(join(REPOSITORY, page), "utf8")) ?? [];
  if (title === undefined) throw new Error(`Building the site: ${page} has no heading; begin it with "# …"`);
  return title;
}

/** Where the page is on the site: a README is the index of its folder. */
export function formatRoute(page: string): string {
  return `/${page.replace(/(?<=^|\/)README\.md$/, "").replace(/\.md$/, ".html")}`;
}
