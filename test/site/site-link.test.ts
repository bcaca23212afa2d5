import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, REPOSITORY } from "../house/repository.ts";
import { buildSidebar } from "./sidebar.ts";
import { formatSiteLink } from "./site-link.ts";
import { listPages } from "./site-page.ts";

test.each([
  ["a page", "docs", "queue.md#busy", "queue.md#busy"],
  ["a heading of the same page", "docs", "#busy", "#busy"],
  ["another site", "docs", "https://t.me/BotFather", "https://t.me/BotFather"],
  ["the README", "docs", "../README.md#why", "./../#why"],
  ["the README, from the top", ".", "README.md", "./"],
  ["the README of a package", "docs", "../plugins/telegram/README.md", "./../plugins/telegram/"],
  ["a folder with a README", "packages/core", "../cli", "../cli/"],
  ["a folder with a README, with an anchor", "packages/core", "../cli/#use", "../cli/#use"],
  ["the license", ".", "LICENSE", "./LICENSE.txt"],
  ["the license, from below", "docs", "../LICENSE", "../LICENSE.txt"],
])("a link to %s", (_, folder, href, expected) => {
  expect(formatSiteLink(href, join(REPOSITORY, folder))).toBe(expected);
});

test("every page of docs/ and every README of a package is in the sidebar, once, by its title", () => {
  const links = buildSidebar().flatMap(({ items = [] }) => items.map(({ text, link }) => ({ text, link })));
  expect(links).toHaveLength(listPages().length);
  expect(new Set(links.map(({ link }) => link)).size).toBe(links.length);
  expect(links).toContainEqual({ text: "Getting started", link: "/docs/getting-started.html" });
  expect(listPages()).toEqual(expect.arrayContaining(listFiles("docs").filter((path) => path.endsWith(".md"))));
});
