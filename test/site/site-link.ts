import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { MarkdownRenderer } from "vitepress";
import { REPOSITORY } from "../house/repository.ts";

const EXTERNAL = /^(?:[a-z][a-z+.-]*:|\/)/;
const UNDOTTED_ASSET = /(?<=\b(?:src|srcset)=")(?=[\w-]+\/)/g;

/** Files that are not Markdown and are copied to the site, by their names there. */
export const COPIED_FILES: Readonly<Record<string, string>> = { "LICENSE.txt": "LICENSE" };

/** Makes the links between files of the repository lead to pages of the site. */
export function addSiteLinks(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("site-links", ({ tokens, env }) => {
    const { path }: { readonly path: string } = env;
    for (const token of tokens.flatMap((block) => [block, ...(block.children ?? [])])) {
      const href = token.type === "link_open" ? token.attrGet("href") : null;
      if (href !== null) token.attrSet("href", formatSiteLink(href, dirname(path)));
      // Only an asset whose path begins with a dot is copied to the site.
      if (token.type.startsWith("html_")) token.content = token.content.replaceAll(UNDOTTED_ASSET, "./");
    }
  });
}

/** A README is the index of its folder, and a folder with one leads to it. `folder` is the one of the linking page. */
export function formatSiteLink(href: string, folder: string): string {
  if (EXTERNAL.test(href) || href.startsWith("#")) return href;
  const [path = "", anchor = ""] = href.split(/(?=#)/);
  const copied = Object.entries(COPIED_FILES).find(([, source]) => join(folder, path) === join(REPOSITORY, source));
  if (copied !== undefined) return `${dirname(path)}/${copied[0]}`;
  if (/(?:^|\/)README\.md$/.test(path)) return `./${path.slice(0, -"README.md".length)}${anchor}`;
  return existsSync(join(folder, path, "README.md")) ? `${path.replace(/\/$/, "")}/${anchor}` : href;
}
