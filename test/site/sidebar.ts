import type { DefaultTheme } from "vitepress";
import { formatRoute, listPages, readTitle } from "./site-page.ts";

interface Group {
  readonly title: string;
  readonly pages: readonly string[];
  readonly isCollapsed?: boolean;
}

const GROUPS: readonly Group[] = [
  { title: "Start", pages: ["README.md", ...below("docs", ["getting-started", "web-chat", "telegram", "discord"])] },
  {
    title: "Use it",
    pages: below("docs", ["sub-agents", "sessions", "queue", "who-may-talk", "models", "foreign-agents"]),
  },
  {
    title: "Run it",
    pages: below("docs", [
      "configuration",
      "command-line",
      "operations",
      "troubleshooting",
      "deliveries",
      "security",
      "performance",
    ]),
  },
  { title: "Build on it", pages: below("docs", ["tools", "hooks", "write-a-channel", "http-api"]) },
  {
    title: "Packages",
    pages: listPages().filter((page) => /^(?:packages|plugins)\//.test(page)),
    isCollapsed: true,
  },
  {
    title: "The project",
    pages: [
      "CHANGELOG.md",
      "CONTRIBUTING.md",
      "ARCHITECTURE.md",
      "docs/decisions/README.md",
      "AGENTS.md",
      "test/README.md",
      "SECURITY.md",
      "CODE_OF_CONDUCT.md",
    ],
    isCollapsed: true,
  },
  {
    title: "Decisions",
    pages: listPages().filter((page) => /^docs\/decisions\/\d/.test(page)),
    isCollapsed: true,
  },
];

/** Each page of the site in the group where a newcomer looks for it, by its own title. */
export function buildSidebar(): DefaultTheme.SidebarItem[] {
  const missing = listPages().filter((page) => !GROUPS.some(({ pages }) => pages.includes(page)));
  if (missing.length > 0)
    throw new Error(
      `Building the site: no group of the sidebar has ${missing.join(", ")}; add it in test/site/sidebar.ts`,
    );
  return GROUPS.map(({ title, pages, isCollapsed }) => ({
    text: title,
    ...(isCollapsed === undefined ? {} : { collapsed: isCollapsed }),
    items: pages.map((page) => ({ text: readTitle(page), link: formatRoute(page) })),
  }));
}

function below(folder: string, names: readonly string[]): readonly string[] {
  return names.map((name) => `${folder}/${name}.md`);
}
