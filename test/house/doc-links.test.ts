import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { formatAnchor } from "../docs/heading-anchor.ts";
import { listFiles, REPOSITORY } from "./repository.ts";

const FENCE = /^```[\s\S]*?^```/gm;
const CODE = /`[^`\n]*`/g;
/** `[text](target)`, and the same for an image. */
const LINK = /\]\(([^()\s]+)\)/g;
/** `src="…"`, `srcset="…"` and `href="…"` of HTML. */
const HTML_LINK = /\b(?:src|srcset|href)="([^"\s]+)"/g;
const EXTERNAL = /^[a-z][a-z+.-]*:/;
const HEADING = /^#{1,6} (.+)$/gm;

interface Link {
  readonly page: string;
  readonly target: string;
}

const pages = listFiles().filter((path) => path.endsWith(".md"));
const links = pages.flatMap(listLinks);

test("there are pages and links to look at", () => {
  expect(pages).toContain("README.md");
  expect(pages.length).toBeGreaterThan(1);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter(({ target }) => target.includes("#")).length).toBeGreaterThan(0);
});

test("every relative link leads to a file or folder of the repository", () => {
  expect(links.filter((link) => !existsSync(join(REPOSITORY, resolveFile(link))))).toEqual([]);
});

test("every anchor of a link is a heading of its page", () => {
  const anchored = links.filter(({ target }) => target.includes("#"));
  const missing = anchored.filter((link) => {
    const file = resolveFile(link);
    const anchor = decodeURIComponent(link.target.slice(link.target.indexOf("#") + 1));
    return existsSync(join(REPOSITORY, file)) && !listAnchors(file).includes(anchor);
  });
  expect(missing).toEqual([]);
});

function listLinks(page: string): readonly Link[] {
  const text = read(page).replaceAll(FENCE, "").replaceAll(CODE, "``");
  return [...text.matchAll(LINK), ...text.matchAll(HTML_LINK)]
    .map(([, target = ""]) => ({ page, target }))
    .filter(({ target }) => !EXTERNAL.test(target));
}

/** The file of a link, as a path from the top folder; an anchor alone is in the page itself. */
function resolveFile({ page, target }: Link): string {
  const [path = ""] = target.split("#");
  return path === "" ? page : join(dirname(page), decodeURIComponent(path));
}

/** The anchors that GitHub gives the headings of a page: a repeated heading gets a number. */
function listAnchors(page: string): readonly string[] {
  const seen = new Map<string, number>();
  return [...read(page).replaceAll(FENCE, "").matchAll(HEADING)].map(([, heading = ""]) => {
    const anchor = formatAnchor(heading);
    const count = seen.get(anchor) ?? 0;
    seen.set(anchor, count + 1);
    return count === 0 ? anchor : `${anchor}-${count}`;
  });
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
