import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Elements of which a browser loads something by itself. */
const LOADING = /<(?:script|link|img|source|iframe|video|audio|object|embed|use|image)\b[^>]*>/g;
const LOADED = /\b(?:src|href|srcset|poster|data)="([^"]*)"/g;
const CSS_LOADED = /@import\s+["']([^"']+)|url\(\s*["']?([^"')]+)/g;
const LINK = /<a\b[^>]*?\bhref="([^"]*)"/g;
const ID = /\bid="([^"]*)"/g;
const ELSEWHERE = /^(?:https?:)?\/\//;
const OTHER_SCHEME = /^[a-z][a-z+.-]*:/;

/** What is wrong with a built site, a sentence each: a dead link, or something that a page loads from elsewhere. */
export function listSiteFaults(folder: string): readonly string[] {
  const files = new Set(
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => path.split("\\").join("/")),
  );
  const read = (path: string) => readFileSync(join(folder, path), "utf8");
  const pages = new Map([...files].filter((path) => path.endsWith(".html")).map((path) => [path, read(path)]));
  const ids = new Map([...pages].map(([path, html]) => [path, new Set([...html.matchAll(ID)].map(([, id]) => id))]));
  const listFaults = (page: string, target: string): readonly string[] => {
    if (ELSEWHERE.test(target)) return [`${page} loads ${target}: the site must work without a network`];
    return OTHER_SCHEME.test(target) || files.has(resolvePath(page, target)) ? [] : [`${page}: no file ${target}`];
  };
  const ofPages = [...pages].flatMap(([page, html]) => [
    ...(html.match(LOADING)?.flatMap((tag) => listTargets(tag).flatMap((target) => listFaults(page, target))) ?? []),
    ...[...html.matchAll(LINK)].flatMap(([, href = ""]) => {
      if (OTHER_SCHEME.test(href) || ELSEWHERE.test(href)) return [];
      const path = resolvePath(page, href);
      const anchor = decodeURIComponent(href.split("#")[1] ?? "");
      if (!files.has(path)) return [`${page}: the link ${href} leads to no file`];
      return anchor === "" || ids.get(path)?.has(anchor) ? [] : [`${page}: the link ${href} leads to no heading`];
    }),
  ]);
  const ofStyles = [...files]
    .filter((path) => path.endsWith(".css"))
    .flatMap((path) => [...read(path).matchAll(CSS_LOADED)].flatMap(([, a, b]) => listFaults(path, a ?? b ?? "")));
  return [...new Set([...ofPages, ...ofStyles])];
}

function listTargets(tag: string): readonly string[] {
  return [...tag.matchAll(LOADED)].flatMap(([attribute, value = ""]) =>
    attribute.startsWith("srcset") ? value.split(",").map((part) => part.trim().split(/\s/)[0] ?? "") : [value],
  );
}

/** The file of a link, from the site's folder; a folder is its index. */
function resolvePath(page: string, target: string): string {
  const { pathname } = new URL(target, `http://site/${page}`);
  return decodeURIComponent(pathname.slice(1)).replace(/(?<=^|\/)$/, "index.html");
}
