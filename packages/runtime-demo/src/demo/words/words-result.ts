import { formatCount } from "../demo-phrase.ts";
import type { FileCount } from "./file-count.ts";

const SKIPS = ["binary", "too large", "unreadable"] as const;
type Skip = (typeof SKIPS)[number];

/** What was counted in some files. A child's is read back from its answer, and those of all children are joined. */
export interface WordsResult {
  readonly words: number;
  readonly files: number;
  readonly longest?: { readonly path: string; readonly words: number };
  readonly skipped: Readonly<Record<Skip, number>>;
}

const NOTHING: WordsResult = { words: 0, files: 0, skipped: { binary: 0, "too large": 0, unreadable: 0 } };
const FIGURES = /^([\d,]+) words? in ([\d,]+) files?(?:; the longest is (.+) \(([\d,]+)\))?\.$/u;
const SKIPPED = /^Skipped: (.+)\.$/u;

export function sumCounts(counts: readonly FileCount[]): WordsResult {
  return joinResults(counts.map(toResult));
}

/** The first of several longest files stands. */
export function joinResults(results: readonly WordsResult[]): WordsResult {
  return results.reduce(joinTwo, NOTHING);
}

/** `5 words in 2 files; the longest is docs/a.md (3)`, without the full stop. */
export function formatFigures({ words, files, longest }: WordsResult): string {
  const figures = `${formatCount(words, "word")} in ${formatCount(files, "file")}`;
  if (longest === undefined) return figures;
  return `${figures}; the longest is ${formatPath(longest.path)} (${formatNumber(longest.words)})`;
}

/** A line, or none. */
export function formatSkipped({ skipped }: WordsResult): readonly string[] {
  const kinds = SKIPS.flatMap((kind) => {
    if (skipped[kind] === 0) return [];
    return [`${formatNumber(skipped[kind])} ${kind}${kind === "too large" ? " (over 1 MiB)" : ""}`];
  });
  return kinds.length === 0 ? [] : [`Skipped: ${kinds.join(", ")}.`];
}

/** As a child says it: the last line holds the figures, and `parseWordsResult` reads both. */
export function formatWordsResult(result: WordsResult): string {
  return [...formatSkipped(result), `${formatFigures(result)}.`].join("\n");
}

/** Reads the end of a child's answer; what it said on the way stands before it. */
export function parseWordsResult(answer: string): WordsResult | undefined {
  const lines = answer.trimEnd().split("\n");
  const figures = FIGURES.exec(lines.at(-1) ?? "");
  if (figures === null) return undefined;
  const [, words, files, path, most] = figures;
  const longest = path === undefined ? undefined : { path: parsePath(path), words: parseNumber(most) };
  return {
    words: parseNumber(words),
    files: parseNumber(files),
    ...(longest === undefined ? {} : { longest }),
    skipped: parseSkipped(lines.at(-2) ?? ""),
  };
}

function toResult(count: FileCount): WordsResult {
  if (count.kind !== "words") return { ...NOTHING, skipped: { ...NOTHING.skipped, [count.kind]: 1 } };
  return { ...NOTHING, words: count.words, files: 1, longest: { path: count.path, words: count.words } };
}

function joinTwo(one: WordsResult, two: WordsResult): WordsResult {
  const isLonger = two.longest !== undefined && (one.longest === undefined || two.longest.words > one.longest.words);
  const longest = isLonger ? two.longest : one.longest;
  return {
    words: one.words + two.words,
    files: one.files + two.files,
    ...(longest === undefined ? {} : { longest }),
    skipped: {
      binary: one.skipped.binary + two.skipped.binary,
      "too large": one.skipped["too large"] + two.skipped["too large"],
      unreadable: one.skipped.unreadable + two.skipped.unreadable,
    },
  };
}

function parseSkipped(line: string): WordsResult["skipped"] {
  const text = SKIPPED.exec(line)?.[1] ?? "";
  const numberOf = (kind: Skip) => parseNumber(new RegExp(`([\\d,]+) ${kind}`, "u").exec(text)?.[1]);
  return { binary: numberOf("binary"), "too large": numberOf("too large"), unreadable: numberOf("unreadable") };
}

/** A name may hold a line's end; what stands in a line must not. */
function formatPath(path: string): string {
  return /^"|[\p{Cc}\p{Zl}\p{Zp}]/u.test(path) ? JSON.stringify(path) : path;
}

function parsePath(text: string): string {
  if (!text.startsWith('"')) return text;
  try {
    const path: unknown = JSON.parse(text);
    return typeof path === "string" ? path : text;
  } catch (cause) {
    // Not of our writing, so it is the path itself.
    if (cause instanceof SyntaxError) return text;
    throw cause;
  }
}

function formatNumber(value: number): string {
  return value.toLocaleString("en-US");
}

function parseNumber(text = "0"): number {
  return Number(text.replaceAll(",", ""));
}
