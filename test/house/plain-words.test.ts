import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listFiles, REPOSITORY } from "./repository.ts";

interface Refused {
  readonly pattern: RegExp;
  readonly better: string;
  /** Sentences that the pattern must find. */
  readonly found: readonly string[];
  /** Similar ones that it must leave alone. */
  readonly passed?: readonly string[];
}

/**
 * Words of a private dialect. The documents are for engineers whose second language is English. Names in code that are refused
 * (`Seat`, `AS_MANY`) are not here: no document contains code that is ours.
 */
const REFUSED: readonly Refused[] = [
  {
    pattern: /\btold\b|\btell(?:s|ing)? of\b/gi,
    better: "notified, informed, gets",
    found: ["The agent is told of it.", "It tells of a run."],
    passed: ["Tell us what happened."],
  },
  {
    pattern: /(?<!-)\b(?:stands?|stood|standing)\b(?! for\b)/gi,
    better: "exists, is stored, is in",
    found: ["It stands in the log.", "It stood there twice."],
    passed: ["`x` stands for a name.", "a long-standing problem", "easy to understand", "the standard library"],
  },
  {
    pattern: /\bthereafter\b|\bbehind\b(?! (?:a|the|your) (?:reverse )?proxy\b)/gi,
    better: "after",
    found: ["Behind a restart it continues.", "Thereafter it continues."],
    passed: ["The server runs behind a reverse proxy."],
  },
  {
    pattern: /\bbeside\b/gi,
    better: "concurrently, next to, in addition to",
    found: ["It runs beside all others."],
    passed: ["Besides, it works."],
  },
  { pattern: /\banew\b/gi, better: "again", found: ["It is read anew."] },
  { pattern: /\bput(?:s|ting)? away\b/gi, better: "archived", found: ["A session is put away."] },
  {
    pattern: /\b(?:gave|give[sn]?|giving|take[sn]?|took|taking) back\b/gi,
    better: "released, rolled back",
    found: ["The claim is given back.", "It takes back the thread."],
    passed: ["You can take its text back into the input box."],
  },
  { pattern: /\bfar(?:e|es|ed|ing)\b/gi, better: "progress, state", found: ["how the run fares"], passed: ["so far"] },
  {
    pattern: /\bhear(?:s|d|ing)?\b/gi,
    better: "receives, accepts; steered in (of a turn)",
    found: ["Other bots are heard.", "The bot hears it."],
  },
  {
    pattern: /\bsayings?\b|\bspeech(?:es)?\b/gi,
    better: "messages, announcements",
    found: ["the sayings of a turn", "its speeches"],
  },
  {
    pattern: /\bmeanwhile\b/gi,
    better: "concurrently, during the turn, since then",
    found: ["What comes meanwhile waits."],
  },
  {
    pattern: /\b(?:whoever|nobody|somebody)\b/gi,
    better: "the caller, no one, another process, the person who …",
    found: ["whoever waits for it", "Nobody reads it.", "Somebody is asked."],
  },
  { pattern: /\bso long\b(?! as\b)/gi, better: "for this time", found: ["So long more is waited for."] },
  { pattern: /\bmend(?:s|ed|ing)?\b/gi, better: "fixed", found: ["The bug is mended."], passed: ["We recommend it."] },
  { pattern: /\bdear(?:er|est)?\b/gi, better: "expensive, slower", found: ["A commit is dearer."] },
  {
    pattern: /\blooked (?:for|through|over)\b/gi,
    better: "searched, scanned",
    found: ["The list is looked through."],
    passed: ["It is looked up."],
  },
  {
    pattern: /\bof (?:its|their|his|her|one[’']s) own\b/gi,
    better: "separate, its own …",
    found: ["a process of its own", "keys of their own"],
    passed: ["tools of your own", "its own folder"],
  },
];

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
  { path: "README.md", phrase: "nobody else gets in", why: "a promise about people, not about code" },
];

/** A generated part is changed where its texts come from; a fence and a code span contain code. */
const GENERATED = /<!-- \w[^>]*, written by [\s\S]*?<!-- end(?:: [\w-]+)? -->/g;
const CODE = /^ *```[\s\S]*?^ *```|`[^`\n]*`/gm;
const CODE_SPAN = /`[^`\n]+`/g;
const DOCUMENT =
  /^(?:(?:README|ARCHITECTURE|CONTRIBUTING|SECURITY)\.md|docs\/(?:decisions\/)?[^/]+\.md|(?:packages|plugins)\/[^/]+\/README\.md)$/;
/** A report of measurements in its own form. */
const EXCLUDED: readonly string[] = ["docs/performance.md"];
const FEWEST = 20;

const documents = listFiles().filter((path) => DOCUMENT.test(path) && !EXCLUDED.includes(path));

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

function listFindings(text: string): readonly string[] {
  return REFUSED.flatMap(({ pattern, better }) =>
    findAll(pattern, text).map((match) => {
      const line = text.slice(0, match.index).split("\n").length;
      return `${line} ${JSON.stringify(match[0])}: ${better}`;
    }),
  );
}

function findAll(pattern: RegExp, text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(pattern)];
}

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
