import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { listSiteFaults } from "./site-faults.ts";

const SOUND = {
  "index.html": `<link rel="icon" href="data:image/svg+xml,x"><script src="/app.js"></script><h2 id="why">Why</h2>
    <a href="#why">x</a><a href="./docs/">x</a><a href="./docs/#a-b">x</a><a href="https://t.me/BotFather">x</a>`,
  "docs/index.html": `<h2 id="a-b">A</h2><a href="/">x</a><a href="../#why">x</a><img src="../logo.png">`,
  "app.js": "",
  "app.css": "a { background: url(logo.png) }",
  "logo.png": "",
};

test("a site whose links lead somewhere and that loads only its own files has no fault", () => {
  expect(listSiteFaults(writeSite({}))).toEqual([]);
});

test.each([
  ["a script", "x.html", '<script type="module" src="https://cdn.example/x.js"></script>', /loads https:\/\/cdn/],
  ["a style", "x.html", '<link rel="stylesheet" href="//fonts.example/x.css">', /loads \/\/fonts/],
  ["a picture", "x.html", '<source srcset="https://img.example/x.png 2x">', /loads https:\/\/img/],
  ["a font", "x.css", "@font-face { src: url('https://fonts.example/x.woff2') }", /x\.css loads https:\/\/fonts/],
  ["an import of a style", "x.css", '@import "https://fonts.example/x.css";', /x\.css loads https:\/\/fonts/],
])("%s from elsewhere is found", (_, path, text, fault) => {
  expect(listSiteFaults(writeSite({ [path]: text }))).toEqual([expect.stringMatching(fault)]);
});

test.each([
  ["a page", '<a href="./docs/nowhere.html">x</a>', "x.html: the link ./docs/nowhere.html leads to no file"],
  ["a heading", '<a href="./docs/#nothing">x</a>', "x.html: the link ./docs/#nothing leads to no heading"],
  ["a picture", '<img src="/none.png">', "x.html: no file /none.png"],
])("a link to %s that does not exist is found", (_, text, fault) => {
  expect(listSiteFaults(writeSite({ "x.html": text }))).toEqual([fault]);
});

function writeSite(more: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "banyan-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "docs"));
  for (const [path, text] of Object.entries({ ...SOUND, ...more })) writeFileSync(join(folder, path), text);
  return folder;
}
