import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { REPOSITORY } from "../house/repository.ts";

/** The command that writes every generated part. It is named in the pages and in the failure of their test. */
export const WRITE_COMMAND = "pnpm docs:write";

/** A part of a page that is generated; the rest of the page is written by hand. */
export interface GeneratedPart {
  /** From the top folder. */
  readonly page: string;
  /** Of its markers. */
  readonly name: string;
  /** Builds the Markdown between the markers. */
  build(): string;
}

/** Reads a page, and builds it with the generated part in place. */
export function renderPart({ page, name, build }: GeneratedPart): { readonly before: string; readonly after: string } {
  const before = readFileSync(join(REPOSITORY, page), "utf8");
  return { before, after: replacePart(before, name, build()) };
}

/** Writes the pages whose generated parts have changed. Returns their names. */
export function writeParts(parts: readonly GeneratedPart[]): readonly string[] {
  const changed = parts.filter((part) => {
    const { before, after } = renderPart(part);
    if (before === after) return false;
    writeFileSync(join(REPOSITORY, part.page), after);
    return true;
  });
  return [...new Set(changed.map(({ page }) => page))];
}

/** Replaces the text between the markers of a name. Throws where the page lacks them. */
export function replacePart(page: string, name: string, content: string): string {
  const begin = `<!-- generated: ${name}, written by \`${WRITE_COMMAND}\` -->\n`;
  const end = `<!-- end: ${name} -->`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from < 0 || to < from) {
    throw new Error(`Writing the part ${name}: the page lacks its markers; add ${begin.trim()} and ${end}`);
  }
  return `${page.slice(0, from + begin.length)}\n${content.trim()}\n\n${page.slice(to)}`;
}

/** A Markdown table. Bars in cells are escaped. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => "---"), ...rows.map((row) => row.map((cell) => cell.replaceAll("|", "\\|")))];
  return lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
