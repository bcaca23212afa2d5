import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findAll, listFindings, REFUSED } from "./plain-word.ts";
import { listFiles, REPOSITORY } from "./repository.ts";
import { listShownTexts, listTexts } from "./shown-text.ts";
import { parseSource } from "./source-file.ts";

interface Allowed {
  readonly path: string;
  readonly phrase: string;
  readonly why: string;
}

const ALLOWED: readonly Allowed[] = [
  { path: "README.md", phrase: "the tree beside the chat", why: "a place in a picture" },
  {
    path: "README.md",
    phrase: "meanwhile processes are restarted",
    why: "the ordinary adverb about the world outside, not about a concurrent change of a row",
  },
];

/** A generated part is changed where its texts come from; a fence and a code span contain code. */
const GENERATED = /<!-- \w[^>]*, written by [\s\S]*?<!-- end(?:: [\w-]+)? -->/g;
const CODE = /^ *```[\s\S]*?^ *```|`[^`\n]*`/gm;
const CODE_SPAN = /`[^`\n]+`/g;
const DOCUMENT =
  /^(?:(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY|CODE_OF_CONDUCT|AGENTS|test\/README)\.md|docs\/(?:decisions\/)?[^/]+\.md|(?:packages|plugins)\/[^/]+\/README\.md)$/;
const FEWEST = 20;

/** Product sources whose strings are not messages. */
const NO_MESSAGES: readonly { readonly path: RegExp; readonly why: string }[] = [
  {
    path: /^packages\/(?:store\/src|plugin-sdk\/src\/runtime)\/suite\//,
    why: "titles of contract tests, read with their code",
  },
  { path: /^packages\/store-sqlite\/src\/(?:database\/schema-versions|worker\/\w+-table)\.ts$/, why: "SQL" },
];
const FEWEST_MESSAGES = 3_000;

const messages = listShownTexts().filter(({ path }) => !NO_MESSAGES.some((each) => each.path.test(path)));

const documents = listFiles().filter((path) => DOCUMENT.test(path));

test(`there are at least ${FEWEST} documents`, () => {
  expect(documents.length).toBeGreaterThanOrEqual(FEWEST);
});

test.each(documents)("%s has plain words only", (path) => {
  const phrases = ALLOWED.filter((each) => each.path === path).map(({ phrase }) => phrase);
  expect(listFindings(blank(read(path), phrases)).map((finding) => `${path}:${finding}`)).toEqual([]);
});

test.each(documents.filter((path) => path.startsWith("docs/")))(
  "the generated parts of %s have plain words only",
  (path) => {
    const parts = [...read(path).matchAll(GENERATED)].map(([part]) => part.replaceAll(CODE_SPAN, ""));
    expect(parts.flatMap((part) => listFindings(part)).map((finding) => `${path}:${finding}`)).toEqual([]);
  },
);

test("messages and help have plain words only", () => {
  expect(messages.length).toBeGreaterThan(FEWEST_MESSAGES);
  const found = messages.flatMap(({ path, line, text }) =>
    listFindings(blank(text, [])).map((finding) => `${path}:${line} ${finding}`),
  );
  expect(found).toEqual([]);
});

test("strings and templates are searched, comments and single words are not", () => {
  const said = "$" + "{told}";
  const code = `/** It stands there. */\nconst told = "told";\nthrow new Error(\`${said}: nobody knows ${said}\`);\n`;
  expect(listTexts(parseSource("a.ts", code))).toEqual([{ path: "a.ts", line: 3, text: "…: nobody knows …" }]);
});

test("each file without messages exists", () => {
  expect(NO_MESSAGES.filter(({ path }) => !listFiles("packages").some((file) => path.test(file)))).toEqual([]);
});

test("each allowed phrase is in its document and would be refused", () => {
  const stale = ALLOWED.filter(({ path, phrase }) => !read(path).includes(phrase) || listFindings(phrase).length === 0);
  expect(stale).toEqual([]);
});

test.each(REFUSED.flatMap(({ pattern, found }) => found.map((sentence) => ({ pattern, sentence }))))(
  "$pattern finds: $sentence",
  ({ pattern, sentence }) => expect(findAll(pattern, sentence)).toHaveLength(1),
);

test.each(REFUSED.flatMap(({ passed = [] }) => passed))("nothing is found in: %s", (sentence) => {
  expect(listFindings(blank(sentence, []))).toEqual([]);
});

test.each(["<!-- end -->", "<!-- end: rows -->"])("code and a part up to %s are not searched", (end) => {
  const page = `\`hears\`\n\`\`\`ts\nada.hears(1);\n\`\`\`\n<!-- rows, written by \`vitest\` -->\n| told |\n${end}\nIt is\ntold so.\n`;
  expect(listFindings(blank(page, []))).toEqual(['9 "told": notified, informed, gets']);
});

/** Removes what is not searched, and keeps the line breaks. */
function blank(text: string, phrases: readonly string[]): string {
  const withoutCode = text.replaceAll(GENERATED, keepBreaks).replaceAll(CODE, keepBreaks);
  return phrases.reduce((rest, phrase) => rest.replaceAll(phrase, keepBreaks), withoutCode);
}

function keepBreaks(removed: string): string {
  return removed.replaceAll(/[^\n]/g, "");
}

function read(path: string): string {
  return readFileSync(join(REPOSITORY, path), "utf8");
}
