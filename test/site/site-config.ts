/** The site: the documents of the repository as they are, with the README as its first page. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import type { DefaultTheme, UserConfig } from "vitepress";
import { ICON_SVG } from "../../packages/console/src/assets/icon-svg.ts";
import { formatAnchor } from "../docs/heading-anchor.ts";
import { listFiles, REPOSITORY } from "../house/repository.ts";
import { buildSidebar } from "./sidebar.ts";
import { addSiteLinks, COPIED_FILES } from "./site-link.ts";
import { formatRoute, isPage } from "./site-page.ts";

export const SITE_FOLDER: string = join(REPOSITORY, "dist/site");

const IN_THE_BAR: readonly (readonly [text: string, page: string])[] = [
  ["Getting started", "docs/getting-started.md"],
  ["Configuration", "docs/configuration.md"],
  ["Command line", "docs/command-line.md"],
  ["Troubleshooting", "docs/troubleshooting.md"],
];

export const SITE_CONFIG: UserConfig<DefaultTheme.Config> = {
  title: "Banyan",
  description: "AI agents in your chats: browser, terminal, Telegram, Discord",
  srcDir: REPOSITORY,
  srcExclude: listFiles().filter((path) => path.endsWith(".md") && !isPage(path)),
  outDir: SITE_FOLDER,
  rewrites: (page) => page.replace(/(?<=^|\/)README\.md$/, "index.md"),
  head: [["link", { rel: "icon", href: `data:image/svg+xml,${encodeURIComponent(ICON_SVG)}` }]],
  markdown: { anchor: { slugify: formatAnchor }, config: addSiteLinks },
  ignoreDeadLinks: false,
  buildEnd({ outDir }) {
    for (const [name, source] of Object.entries(COPIED_FILES))
      copyFileSync(join(REPOSITORY, source), join(outDir, name));
  },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: IN_THE_BAR.map(([text, page]) => ({ text, link: formatRoute(page) })),
    sidebar: buildSidebar(),
  },
};
